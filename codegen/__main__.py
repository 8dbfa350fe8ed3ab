"""`python -m codegen`."""

from codegen.cli import app

app(prog_name="python -m codegen")

"""The whole operator, disturbed on purpose: `python -m tests.chaos kill9 --rounds 50`."""

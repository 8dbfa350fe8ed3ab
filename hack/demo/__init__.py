"""`make demo`: plans of what a person does, step by step, each step checked.

`steps.py` has what a step is made of, `records.py` and `endpoints.py` are the plans, `__main__.py` is the command."""

"""A whole DNS operator on one machine, for development only: real name servers on loopback, and a stage around them.

`make run`, `make demo`, tests, chaos and benchmarks share it. It is in no wheel and in no image.
"""

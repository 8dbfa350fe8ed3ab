"""Benchmarks: figures for people, and ratios between two things measured in the same run."""

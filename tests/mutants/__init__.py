"""Known bugs, seeded one by one into the engine, to show that its tests would notice: `python -m tests.mutants`."""

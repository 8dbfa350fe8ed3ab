"""`make chaos KIND=kill9 ROUNDS=50`: the whole operator on real servers, disturbed on purpose.

Ends at the first violation with exit code 1, what differed, what was done, and the end of the manager's log."""

import argparse
import secrets
import sys

from tests.chaos import endpoints, kill9
from zonewright.envtest.backend import DEFAULT
from zonewright.envtest.processes import ProgramFailed

PLAYS = {"endpoints": endpoints.play, "kill9": kill9.play}


def parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.chaos", description=__doc__)
    parser.add_argument("kind", choices=sorted(PLAYS))
    parser.add_argument("--rounds", type=int, default=50)
    parser.add_argument("--seed", type=int, default=secrets.randbelow(10_000), help="of the changes and of the moments")
    parser.add_argument("--backend", choices=("controlplane", "embedded"), default=DEFAULT)
    return parser


def main() -> int:
    asked = parser().parse_args()
    print(f"{asked.kind}: {asked.rounds} rounds on {asked.backend}, seed {asked.seed}", flush=True)
    try:
        PLAYS[asked.kind](
            asked.backend, rounds=asked.rounds, seed=asked.seed, tell=lambda line: print(line, flush=True)
        )
    except (kill9.Violation, ProgramFailed) as violation:
        print(f"VIOLATION with --seed {asked.seed}: {violation}", flush=True)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""The same with endpoints: kill -9 while DNSEndpoints, Services and Ingresses take names over from one another.

Two zones on two primaries, with records of others in them and entries of another owner. By the seed the zones are
somebody else's, or the operator has made them."""

import random
from collections.abc import Callable

from testbed.stage import stage
from tests.chaos.endpoint_world import EndpointWorld
from tests.chaos.kill9 import FLAGS, Kill9
from tests.chaos.model import ZONES
from tests.chaos.witness import Witness
from zonewright.testing import eventually


def play(backend: str, *, rounds: int, seed: int, tell: Callable[[str], None], adopted: bool | None = None) -> None:
    """All rounds on a stage of their own; raises Violation at the first thing that is not as it must be."""
    rng = random.Random(seed)
    chosen = rng.random() < 0.5
    adopted = chosen if adopted is None else adopted
    tell(f"zones {'of somebody else' if adopted else 'that the operator has made'}")
    with stage(backend, primaries=2, secondaries=0, bindcar=not adopted) as running:
        running.install_crds()
        world = EndpointWorld(running, rng, adopted)
        world.set_up()
        manager = running.start_manager(*FLAGS)
        eventually(world.has_zones, what="the zones")
        manager.kill()
        world.intrude()
        running.start_manager(*FLAGS)
        witness = Witness(running, world, {}, world.loose)
        game = Kill9(running, world, witness, rng)
        game.settle()
        witness.steady = {zone: running.transfer(running.primaries[0], origin) for zone, origin in ZONES.items()}
        with witness:
            for number in range(1, rounds + 1):
                tell(game.play(number))
            game.rest()
        tell(f"{rounds} rounds; {world.done.total()} changes; {witness.seen} transfers by the witness")

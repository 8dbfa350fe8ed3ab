"""The core's rules, one sentence each. An event is reported to those that it touched, if they look otherwise now."""

import pytest

from reconcilers.engine.api import StatusChange, ZoneKey
from reconcilers.engine.core.model import Model, Zone
from reconcilers.engine.core.protocol import Notify, Now, Transition
from reconcilers.engine.core.reporting import Reporter
from tests.support.engine_rig import REF, ZONE, record

NOW = Now(0.0, 1_700_000_000.0)


@pytest.fixture
def model() -> Model:
    model = Model()
    zone = model.zones[REF.uid] = Zone(REF)
    model.replica(ZoneKey("p1", ZONE)).claimants.append(zone)
    return model


@pytest.fixture
def reporter(model) -> Reporter:
    return Reporter(model)


def test_what_was_not_touched_is_not_reported(model, reporter):
    assert reporter.effects(NOW) == []


def test_a_replica_is_reported_with_its_zone_and_the_same_again_is_not(model, reporter):
    key = ZoneKey("p1", ZONE)
    reporter.replica_touched(model.replicas[key])
    news = [Transition(key, REF.uid, None, "not_started", None), Notify(StatusChange(REF))]
    assert reporter.effects(NOW) == news
    reporter.replica_touched(model.replicas[key])
    assert reporter.effects(NOW) == []


def test_objects_are_reported_once_also_if_their_zone_looks_as_before(model, reporter):
    zone = model.zones[REF.uid]
    reporter.zone_touched(zone)
    reporter.effects(NOW)
    reporter.records_changed(zone, {record("b"), record("a")})
    reporter.records_changed(zone, {record("a")})
    assert reporter.effects(NOW) == [Notify(StatusChange(REF, (record("a"), record("b"))))]
    assert reporter.effects(NOW) == []


def test_a_deleted_zone_that_no_server_has_is_released_and_forgotten(model, reporter):
    zone = model.zones[REF.uid]
    zone.deleting = True
    reporter.zone_touched(zone)
    assert reporter.effects(NOW) == [Notify(StatusChange(REF, released=True))]
    assert model.zones == {}

"""When the chaos proxy strikes: matching, counting and dice."""

import pytest

from zonewright.envtest.chaos.faults import Delay, Fail, Hang
from zonewright.envtest.chaos.rules import Call, Rule, RuleBook, matcher, parse_call

GET = parse_call("GET", "/api/v1/namespaces/ns/configmaps/a", {})
LIST = parse_call("GET", "/api/v1/namespaces/ns/configmaps", {})


@pytest.mark.parametrize(
    ("method", "path", "query", "verb", "resource", "namespace", "name", "subresource"),
    [
        ("GET", "/api/v1/namespaces", {}, "LIST", "namespaces", "", "", ""),
        ("GET", "/api/v1/namespaces/ns", {}, "GET", "namespaces", "", "ns", ""),
        ("PUT", "/api/v1/namespaces/ns/status", {}, "PUT", "namespaces", "", "ns", "status"),
        ("GET", "/api/v1/namespaces/ns/pods", {"watch": "true"}, "WATCH", "pods", "ns", "", ""),
        ("GET", "/apis/apps/v1/deployments", {"watch": "1"}, "WATCH", "deployments", "", "", ""),
        ("PATCH", "/apis/example.org/v1/namespaces/n/ws/w/status", {}, "PATCH", "ws", "n", "w", "status"),
        ("GET", "/apis", {}, "GET", "", "", "", ""),
        ("GET", "/healthz", {}, "GET", "", "", "", ""),
    ],
)
def test_a_path_tells_what_a_call_is_about(method, path, query, verb, resource, namespace, name, subresource):
    call = parse_call(method, path, query)
    assert (call.verb, call.resource, call.namespace, call.name, call.subresource) == (
        verb,
        resource,
        namespace,
        name,
        subresource,
    )


def decide(book: RuleBook, call: Call, times: int) -> list[bool]:
    return [bool(book.decide(call)) for _ in range(times)]


def test_a_rule_strikes_a_limited_number_of_times():
    book = RuleBook(seed=1)
    rule = Rule(Fail(500), matcher(None, {}), times=2)
    book.add(rule)
    assert decide(book, GET, 4) == [True, True, False, False]
    assert rule.hits == 2


def test_a_rule_leaves_the_first_calls_alone_when_told_to():
    book = RuleBook(seed=1)
    book.add(Rule(Fail(500), matcher(None, {}), skip=2, times=1))
    assert decide(book, GET, 4) == [False, False, True, False]


def test_a_rule_only_strikes_the_calls_it_names():
    book = RuleBook(seed=1)
    book.add(Rule(Fail(500), matcher(lambda call: call.namespace == "ns", {"verb": "LIST"})))
    assert not book.decide(GET)
    assert book.decide(LIST) == [Fail(500)]


def test_a_misspelt_field_is_an_error_and_not_a_rule_that_never_strikes():
    with pytest.raises(TypeError, match="no resourse"):
        matcher(None, {"resourse": "pods"})


def test_the_same_seed_gives_the_same_strikes():
    def outcome(seed: int) -> list[bool]:
        book = RuleBook(seed)
        book.add(Rule(Fail(500), matcher(None, {}), probability=0.5))
        return decide(book, GET, 64)

    assert outcome(7) == outcome(7)
    assert outcome(7) != outcome(8)
    assert 16 < sum(outcome(7)) < 48


def test_rules_add_up_in_their_order_until_they_are_removed():
    book = RuleBook(seed=1)
    delay, hang = Rule(Delay(0.1), matcher(None, {})), Rule(Hang(), matcher(None, {}))
    book.add(delay)
    book.add(hang)
    assert book.decide(GET) == [Delay(0.1), Hang()]
    book.remove(delay)
    assert book.decide(GET) == [Hang()]
    book.clear()
    assert book.decide(GET) == []

"""The engine's decisions: `Core.handle(event, now) -> effects`. Pure: no clock, no I/O, no threads.

protocol    events in, effects out
model       what is known: servers, zones, replicas
serials     which serial names which content
install     a zone as its object wants it, taken into the model
decide      the next operation of a replica; sync has the rules about contents, mass_delete the guard
results     what a finished operation changes in the model
lifecycle   the state names that metrics, logs and debug pages show, derived from the model
outcomes    what reconcilers are told of zones and records
reporting   which of them are told after an event
"""

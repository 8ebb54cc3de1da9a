"""Warnings do not depend on timing, and carry nothing that a terminal would obey."""

from __future__ import annotations

from pytest_design2a11y.capture.warning_log import WarningLog


def test_events_are_counted_and_named_in_alphabetical_order() -> None:
    forwards, backwards = WarningLog(), WarningLog()
    addresses = [f"https://example/{number}" for number in range(9)]
    for address in addresses:
        forwards.note("blocked_requests", address)
    for address in reversed(addresses):
        backwards.note("blocked_requests", address)

    (warning,) = forwards.warnings()

    assert forwards.warnings() == backwards.warnings()
    assert warning.count == 9
    assert ", ".join(addresses[:5]) + " and 4 more. " in warning.message
    assert warning.names == tuple(addresses)


def test_a_file_that_is_asked_for_again_counts_once() -> None:
    log = WarningLog()
    for name in ("i.png", "j.png", "i.png"):
        log.note_request("missing_files", name)

    (warning,) = log.warnings()

    assert warning.count == 2


def test_kinds_come_in_one_order() -> None:
    first, second = WarningLog(), WarningLog()
    for code in ("popups", "dialogs"):
        first.note(code, "x")
    for code in ("dialogs", "popups"):
        second.note(code, "x")

    assert first.warnings() == second.warnings()


def test_control_characters_do_not_reach_the_message() -> None:
    log = WarningLog()
    log.note("js_errors", "\x1b[2Jboom\u202e" + "x" * 500)

    (warning,) = log.warnings()

    assert "\x1b" not in warning.message
    assert "\u202e" not in warning.message
    assert len(warning.message) < 250


def test_nothing_is_said_of_what_did_not_happen() -> None:
    log = WarningLog()
    log.note("popups", times=0)

    assert log.warnings() == ()

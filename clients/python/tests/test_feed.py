from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from crabro import ConnectionLostError, DuplicateIdError, FeedError, FieldError, ServerError
from crabro._feed import BODY_BYTES, FAILURES_SHOWN, IN_FLIGHT, Operation, Outcome, _waves, problem, put, send
from crabro._http import Received
from crabro._steps import PAUSE_MAX, REPLY_BYTES_MAX, TRIES_MAX, Call, Calls, Pause, Reply, Steps, exchange

Answer = Callable[[Call], "Reply | ConnectionLostError"]


class Script:
    """Answers the calls of steps in turn, without a server."""

    def __init__(self, *answers: Answer) -> None:
        self._answers = list(answers)
        self.calls: list[Call] = []
        self.pauses: list[float] = []

    def run(self, steps: Steps[Any]) -> Any:
        value: Any = None
        error: Exception | None = None
        while True:
            try:
                effect = steps.throw(error) if error is not None else steps.send(value)
            except StopIteration as end:
                return end.value
            value, error = None, None
            if isinstance(effect, Pause):
                self.pauses.append(effect.seconds)
            elif isinstance(effect, Calls):
                value = [self._answer(call) for call in effect.calls]
            else:
                assert isinstance(effect, Call)
                value = self._answer(effect)
                if isinstance(value, Exception):
                    error = value

    def _answer(self, call: Call) -> Reply | ConnectionLostError:
        self.calls.append(call)
        return self._answers.pop(0)(call)


def lines(*failed: tuple[int, int, str], is_complete: bool = True, end: bytes = b"") -> Answer:
    def answer(call: Call) -> Reply:
        assert call.body is not None
        parts = [json.dumps({"line": line, "status": status, "message": message}) for line, status, message in failed]
        if is_complete:
            parts.append(json.dumps({"totals": {"complete": True}}))
        return Reply(200, {}, "\n".join(parts).encode() + b"\n" + end)

    return answer


def status(code: int, headers: dict[str, str] | None = None) -> Answer:
    return lambda call: Reply(code, headers or {}, b'{"message": "the reason"}')


def lost(call: Call) -> ConnectionLostError:
    return ConnectionLostError("broken")


def operations(count: int, size: int = 10) -> list[Operation]:
    return [put(i, str(i), f"id:t:t::{i}", {"f": "x" * size}, False) for i in range(count)]


def sent(script: Script, given: Sequence[Operation], is_repeatable: bool = True) -> Outcome:
    outcome = Outcome()
    script.run(send(given, outcome, is_repeatable, lambda _: None))
    return outcome


def test_counts_what_the_server_has_written() -> None:
    script = Script(lines((2, 400, "bad"), (3, 412, "")))
    outcome = sent(script, operations(5))

    assert (outcome.written, outcome.failed, outcome.unmet) == (3, 1, 1)
    assert script.calls[0].params == {"answers": "failed"}


def test_sends_busy_lines_again() -> None:
    script = Script(lines((2, 429, "busy")), lines())
    outcome = sent(script, operations(3))

    assert outcome.written == 3
    assert script.calls[1].body == operations(3)[1].line
    assert len(script.pauses) == 1


def test_waits_as_long_as_a_busy_server_asks() -> None:
    script = Script(status(429, {"retry-after": "3"}), status(503, {"retry-after": "1000000"}), lines())
    outcome = sent(script, operations(1))

    assert outcome.written == 1
    assert script.pauses == [3.0, PAUSE_MAX]


def test_gives_up_after_the_time_for_busy_servers() -> None:
    script = Script(*[status(429, {"retry-after": "10"})] * 100)
    outcome = sent(script, operations(2))

    assert outcome.failed == 2
    assert sum(script.pauses) <= 600
    error = problem(outcome, False)
    assert error is not None
    assert "the server was busy for too long" in str(error)


def test_sends_again_what_has_no_answer() -> None:
    script = Script(lost, lines(is_complete=False, end=b'{"line": 1, "sta'), lines())

    assert sent(script, operations(2)).written == 2


def test_never_repeats_conditions_without_an_answer() -> None:
    with pytest.raises(ConnectionLostError):
        sent(Script(lost), operations(1), is_repeatable=False)
    with pytest.raises(ConnectionLostError, match="some may be done"):
        sent(Script(lines(is_complete=False)), operations(1), is_repeatable=False)


def test_ends_after_several_lost_connections() -> None:
    outcome = sent(Script(*[lost] * TRIES_MAX), operations(2))

    assert outcome.failed == 2
    assert outcome.failures[0].status == 0


@pytest.mark.parametrize("line", [0, 3, -1])
def test_rejects_answers_for_lines_that_were_not_sent(line: int) -> None:
    with pytest.raises(ServerError, match="answered line"):
        sent(Script(lines((line, 400, ""))), operations(2))


def test_bounds_the_bodies_and_their_number() -> None:
    size = BODY_BYTES // 4
    waves = list(_waves(operations(40, size)))

    assert all(len(wave) <= IN_FLIGHT for wave in waves)
    assert all(sum(len(each.line) for each in body) <= BODY_BYTES for wave in waves for body in wave)
    assert [each.index for wave in waves for body in wave for each in body] == list(range(40))


def test_sends_a_large_document_alone() -> None:
    waves = list(_waves(operations(2, 2 * BODY_BYTES)))

    assert [[len(body) for body in wave] for wave in waves] == [[1, 1]]


def test_keeps_the_order_of_operations_on_one_document() -> None:
    size = BODY_BYTES // 2
    given = [put(i, "a", f"id:t:t::{i % 3}", {"f": "x" * size}, False) for i in range(9)]

    for wave in _waves(given):
        ids = [{each.document_id for each in body} for body in wave]
        assert sum(map(len, ids)) == len(set().union(*ids))
    assert [each.index for wave in _waves(given) for body in wave for each in body] == list(range(9))


def test_names_the_first_failures_only() -> None:
    count = FAILURES_SHOWN + 5
    outcome = sent(Script(lines(*((i + 1, 400, f"bad {i}") for i in range(count)))), operations(count))
    error = problem(outcome, False)

    assert error is not None
    assert (error.failed, len(error.failures), error.written) == (count, FAILURES_SHOWN, 0)
    assert str(error).startswith("document 0 (id '0'): 105 of 105 documents were not written; the first: bad 0")


def test_reports_ids_that_exist() -> None:
    error = problem(sent(Script(lines((1, 412, ""))), operations(2)), True)

    assert isinstance(error, DuplicateIdError)
    assert isinstance(error, FeedError)
    assert error.failures[0].id == "0"


def test_rejects_texts_that_are_no_unicode() -> None:
    with pytest.raises(FieldError, match=r"U\+D800"):
        put(4, "a", "id:t:t::a", {"f": "\ud800"}, False)


def test_repeats_calls_that_can_be_repeated() -> None:
    ok = status(200)

    assert Script(lost, lost, ok).run(exchange(Call("GET", "/"))).status == 200
    with pytest.raises(ConnectionLostError):
        Script(lost).run(exchange(Call("POST", "/", is_repeatable=False)))
    with pytest.raises(ConnectionLostError):
        Script(lost, lost, lost).run(exchange(Call("GET", "/")))


def test_limits_the_size_of_answers() -> None:
    received = Received(200, {})
    part = bytes(1024 * 1024)
    for _ in range(REPLY_BYTES_MAX // len(part)):
        received.add(part)
    with pytest.raises(ServerError, match="has more than"):
        received.add(b"x")

"""Writes of many documents.

Operations are sent as lines of the bulk protocol. A request has about :data:`BODY_BYTES`, and :data:`IN_FLIGHT`
requests are sent at once. The next ones are made when all of these are answered, so memory is bounded, and the server
sets the speed.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from ._steps import BUSY_MAX, TRIES_MAX, Call, Calls, Pause, Reply, Steps, refusal, understood
from .errors import (
    ConnectionLostError,
    CrabroError,
    DuplicateIdError,
    Failure,
    FeedError,
    FieldError,
    ServerBusyError,
    ServerError,
    ServerFullError,
)

#: The size of a request, unless one document is larger.
BODY_BYTES = 1024 * 1024

#: The number of requests that are sent at once.
IN_FLIGHT = 4

#: The number of failures that an exception names.
FAILURES_SHOWN = 100

#: The time limit of a request, in seconds.
REQUEST_TIMEOUT = 300.0

_BUSY = (429, 503)


@dataclass(frozen=True)
class Operation:
    """An operation on a document.

    :ivar index: the position of the document in the call
    :ivar user_id: the part of the id that the user has chosen
    """

    index: int
    user_id: str
    document_id: str
    line: bytes


@dataclass
class Outcome:
    """What happened to the operations of a call.

    :ivar written: the number of operations that were carried out
    :ivar unmet: the number of those whose condition did not hold
    :ivar missing: the number of updates of documents that do not exist
    """

    written: int = 0
    unmet: int = 0
    missing: int = 0
    failed: int = 0
    failures: list[Failure] = field(default_factory=list)
    present: list[Failure] = field(default_factory=list)

    def fail(self, operation: Operation, status: int, message: str) -> None:
        self.failed += 1
        if len(self.failures) < FAILURES_SHOWN:
            self.failures.append(Failure(operation.index, operation.user_id, status, message))


def put(index: int, user_id: str, document_id: str, fields: Mapping[str, Any], is_new: bool) -> Operation:
    """Return the operation that writes a document, or that writes it only if there is none."""
    line: dict[str, Any] = {"put": document_id}
    if is_new:
        # A condition that never holds: the operation is carried out only if there is no document.
        line |= {"condition": "false", "create": True}
    return _operation(index, user_id, document_id, line | {"fields": fields})


def update(index: int, user_id: str, document_id: str, fields: Mapping[str, Any]) -> Operation:
    assigned = {name: {"assign": value} for name, value in fields.items()}
    return _operation(index, user_id, document_id, {"update": document_id, "fields": assigned})


def remove(index: int, user_id: str, document_id: str) -> Operation:
    # With a condition, the answer says whether there was a document.
    return _operation(index, user_id, document_id, {"remove": document_id, "condition": "true"})


def _operation(index: int, user_id: str, document_id: str, line: Mapping[str, Any]) -> Operation:
    try:
        text = json.dumps(line, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"
    except UnicodeEncodeError as e:
        raise FieldError(
            f"a text has the character U+{ord(e.object[e.start]):04X}, which is half of a pair",
            place=f"document {index}",
        ) from e
    return Operation(index, user_id, document_id, text)


def _waves(operations: Iterable[Operation]) -> Iterator[list[list[Operation]]]:
    """Yield bodies that can be sent at the same time: no two of them have operations on one document."""
    wave: list[list[Operation]] = [[]]
    size = 0
    places: dict[str, int] = {}
    for operation in operations:
        at = len(wave) - 1
        is_elsewhere = places.get(operation.document_id, at) != at
        is_full = size > 0 and size + len(operation.line) > BODY_BYTES
        if is_elsewhere or (is_full and len(wave) == IN_FLIGHT):
            yield wave
            wave, size, places = [[]], 0, {}
        elif is_full:
            wave.append([])
            size = 0
            # The body before has an operation on this document.
            if operation.document_id in places:
                wave.pop()
                yield wave
                wave, places = [[]], {}
        wave[-1].append(operation)
        places[operation.document_id] = len(wave) - 1
        size += len(operation.line)
    if wave[0]:
        yield wave


def send(
    operations: Iterable[Operation], outcome: Outcome, is_repeatable: bool, report: Callable[[int], None]
) -> Steps[None]:
    """Carry out operations, and count what happened to them.

    :param is_repeatable: whether an operation without an answer can be sent again
    :param report: gets the number of operations that are done
    """
    for wave in _waves(operations):
        waiting = [body for body in wave if body]
        pause, waited, lost = 0.2, 0.0, 0
        while waiting:
            replies = yield Calls([_call(body) for body in waiting])
            again: list[list[Operation]] = []
            is_lost = False
            asked = 0.0
            before = outcome.written + outcome.failed + outcome.unmet + outcome.missing
            for body, reply in zip(waiting, replies, strict=True):
                left, seconds, broken = _read(body, reply, outcome, is_repeatable)
                if left:
                    again.append(left)
                is_lost |= broken
                asked = max(asked, seconds)
            done = outcome.written + outcome.failed + outcome.unmet + outcome.missing - before
            report(done)
            if done:
                pause, waited, lost = 0.2, 0.0, 0
            waiting = again
            if not waiting:
                break
            lost = lost + 1 if is_lost else lost
            seconds = max(asked, pause)
            waited += seconds
            if lost >= TRIES_MAX or waited > BUSY_MAX:
                _give_up(waiting, is_lost, outcome)
                break
            yield Pause(seconds)
            pause = min(2 * pause, 10.0)


def _give_up(waiting: list[list[Operation]], is_lost: bool, outcome: Outcome) -> None:
    message = "the server did not answer; the write may be done" if is_lost else "the server was busy for too long"
    for body in waiting:
        for operation in body:
            outcome.fail(operation, 0, message)


def _call(body: list[Operation]) -> Call:
    return Call(
        "POST",
        "/document/v1/",
        params={"answers": "failed"},
        body=b"".join(operation.line for operation in body),
        content_type="application/jsonl",
        timeout=REQUEST_TIMEOUT,
        is_repeatable=False,
    )


def _read(
    body: list[Operation], reply: Reply | CrabroError, outcome: Outcome, is_repeatable: bool
) -> tuple[list[Operation], float, bool]:
    """Count the outcomes of a body.

    :return: the operations to send again, how long the server asks to wait, and whether the answer is missing
    """
    if isinstance(reply, ConnectionLostError):
        if is_repeatable:
            return body, 0.0, True
        raise reply
    if isinstance(reply, CrabroError):
        raise reply
    if reply.status in _BUSY:
        return body, reply.pause(0.0), False
    if reply.status != 200:
        raise refusal(reply)
    with understood():
        return _answered(body, reply, outcome, is_repeatable)


def _answered(
    body: list[Operation], reply: Reply, outcome: Outcome, is_repeatable: bool
) -> tuple[list[Operation], float, bool]:
    again: list[Operation] = []
    answered: set[int] = set()
    totals: Mapping[str, Any] | None = None
    for line in reply.body.splitlines():
        try:
            parsed = json.loads(line)
        except ValueError:
            # The connection broke inside of this line.
            break
        if "totals" in parsed:
            totals = parsed["totals"]
            continue
        number = int(parsed.get("line", 0)) - 1
        if not 0 <= number < len(body):
            raise ServerError(f"the server answered line {number + 1} of {len(body)}")
        answered.add(number)
        _count(body[number], parsed, outcome, again)
    if totals is None or not totals.get("complete"):
        # Lines that were not answered may or may not be done.
        left = [operation for number, operation in enumerate(body) if number not in answered]
        if not is_repeatable and left:
            raise ConnectionLostError("the server did not answer all operations; some may be done")
        return again + left, 0.0, True
    outcome.written += len(body) - len(answered)
    return again, 0.0, False


def _count(operation: Operation, answer: Mapping[str, Any], outcome: Outcome, again: list[Operation]) -> None:
    status = int(answer.get("status", 0))
    if status in _BUSY:
        again.append(operation)
    elif status == 200 and answer.get("notFound"):
        outcome.missing += 1
    elif status == 200:
        outcome.written += 1
    elif status == 412:
        outcome.unmet += 1
        if len(outcome.present) < FAILURES_SHOWN:
            outcome.present.append(Failure(operation.index, operation.user_id, status, "the id exists"))
    else:
        outcome.fail(operation, status, str(answer.get("message", "")))


def problem(outcome: Outcome, is_add: bool) -> FeedError | None:
    """Return the exception for operations that failed."""
    if outcome.failed:
        first = outcome.failures[0]
        kind: Any = None
        if first.status == 507:
            kind = ServerFullError
        elif first.status == 0:
            kind = ServerBusyError if "busy" in first.message else ConnectionLostError
        error = FeedError(
            f"{outcome.failed} of {outcome.failed + outcome.written + outcome.unmet} documents were not written;"
            f" the first: {first.message}",
            failures=outcome.failures,
            failed=outcome.failed,
            written=outcome.written,
            hint="FeedError.failures has the reasons of the first ones",
        )
        if kind is not None:
            error.__cause__ = kind(first.message)
        return error
    if is_add and outcome.unmet:
        return DuplicateIdError(
            f"{outcome.unmet} ids exist already, and add() does not replace documents",
            failures=outcome.present,
            failed=outcome.unmet,
            written=outcome.written,
            hint="use upsert() to replace documents with the same ids",
        )
    return None

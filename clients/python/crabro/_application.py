"""Deployments: how the schema of a collection gets to the server.

A change reads the active package through a session, changes files in it, and activates the session. If another
client has activated a package in between, the server refuses, and the change starts again.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from urllib.parse import quote

from ._fields import Fields, of_schema_type
from ._schema import (
    CLUSTER,
    METADATA,
    SERVICES,
    CollectionSchema,
    cluster_of,
    of_metadata,
    parsed,
    services,
    types_of,
    with_component,
    with_type,
    without_type,
    written,
    zipped,
)
from ._steps import Call, Reply, Steps, exchange, refusal, understood
from .errors import AccessError, SchemaError

TENANT = "/application/v2/tenant/default"
APPLICATION = f"{TENANT}/application/default/environment/prod/region/default/instance/default"

SCHEMAS = Call("GET", "/crabro/v1/schemas", waits_if_busy=False)

#: The status of requests to a server without an application.
NO_APPLICATION = (404, 503)

#: How often a deployment starts again because another client deployed at the same time.
CONFLICTS_MAX = 10

#: The time limit of a step of a deployment, in seconds. Models are loaded in it.
DEPLOY_TIMEOUT = 300.0


@dataclass(frozen=True)
class ModelPart:
    """An embedder that is added to the package.

    :ivar files: the files by their paths in the package
    :ivar parts: the elements of the component: tag to the remainder of the element
    """

    component: str
    files: Mapping[str, Path]
    parts: Mapping[str, str]


def _config(method: str, path: str, **more: Any) -> Call:
    return Call(method, path, port="config", timeout=DEPLOY_TIMEOUT, **more)


def read_schema(name: str) -> Steps[CollectionSchema | None]:
    """Return the schema of a collection, or None if the server has none."""
    reply = yield from exchange(_config("GET", f"{APPLICATION}/content/{METADATA}"))
    stored: Mapping[str, Any] | None = None
    if reply.status == 200:
        stored = parsed(reply.body).get(name)
    elif reply.status not in (403, 404):
        raise refusal(reply)
    described = yield from exchange(SCHEMAS)
    if described.status in NO_APPLICATION:
        return None
    if described.status != 200:
        raise refusal(described)
    with understood():
        found = described.json()
        cluster = next((str(each["name"]) for each in found["clusters"] if name in each["types"]), None)
        if cluster is None:
            return None
        if stored is not None:
            return of_metadata(name, stored, cluster)
        return _foreign(name, cluster, next((each for each in found["types"] if each["name"] == name), {}))


def _foreign(name: str, cluster: str, described: Mapping[str, Any]) -> CollectionSchema:
    """Return the schema of a type that another program deployed."""
    fields = [of_schema_type(each["name"], each["type"]) for each in described["fields"]]
    return CollectionSchema(
        name,
        Fields(each for each in fields if each is not None),
        cluster=cluster,
        is_foreign=True,
        profiles=frozenset(each["name"] for each in described["rankProfiles"]),
        fieldsets=frozenset(described["fieldsets"]),
    )


def read_names() -> Steps[list[str]]:
    """Return the names of the collections of the server."""
    reply = yield from exchange(SCHEMAS)
    if reply.status in NO_APPLICATION:
        return []
    if reply.status != 200:
        raise refusal(reply)
    with understood():
        return sorted({str(name) for each in reply.json()["clusters"] for name in each["types"]})


Change = Callable[["CollectionSchema | None"], CollectionSchema]


def deploy(name: str, change: Change, model: ModelPart | None) -> Steps[CollectionSchema]:
    """Deploy the schema of a collection.

    :param change: gets the deployed schema, or None, and returns the wanted one
    """
    for _ in range(CONFLICTS_MAX):
        session = yield from _session()
        if session is None:
            wanted = change(None)
            done = yield from _first(wanted, model)
        else:
            files = yield from _files(session, name)
            cluster = cluster_of(files[SERVICES].decode(), name)
            stored = parsed(files[METADATA]).get(name)
            current = None
            if cluster is not None:
                if stored is None:
                    raise SchemaError(
                        f"the collection {name!r} is one of another program, whose package is not changed",
                        hint="add the fields to the schema of that package, or use a collection of another name",
                    )
                current = of_metadata(name, stored, cluster)
                if current.text().encode() != files[_schema_file(name)]:
                    raise SchemaError(
                        f"the schema of {name!r} was changed by hand, and this package would overwrite it",
                        hint="add the new fields there, or use a collection of another name",
                    )
            wanted = change(current)
            if current is not None and wanted == current and model is None:
                return current
            services_text = with_type(files[SERVICES].decode(), name)
            wanted = replace(wanted, cluster=cluster_of(services_text, name) or CLUSTER)
            done = yield from _changed(session, files, wanted, model)
        if done:
            return wanted
    raise SchemaError(f"other clients deployed {CONFLICTS_MAX} times at the same time", hint="try again")


def remove(name: str) -> Steps[None]:
    """Remove a collection without documents from the package."""
    for _ in range(CONFLICTS_MAX):
        session = yield from _session()
        if session is None:
            return
        files = yield from _files(session, name)
        text = files[SERVICES].decode()
        if cluster_of(text, name) is None:
            return
        if len(types_of(text)) == 1:
            reply = yield from exchange(_config("DELETE", f"{TENANT}/application/default"))
            if reply.status != 200:
                raise refusal(reply)
            return
        collections = parsed(files[METADATA])
        collections.pop(name, None)
        yield from _put(session, SERVICES, without_type(text, name).encode())
        yield from _put(session, METADATA, written(collections))
        yield from exchange(_config("DELETE", f"{TENANT}/session/{session}/content/{_schema_file(name)}"))
        if (yield from _activated(session)):
            return
    raise SchemaError(f"other clients deployed {CONFLICTS_MAX} times at the same time", hint="try again")


def _schema_file(name: str) -> str:
    return f"schemas/{name}.sd"


def _session() -> Steps[str | None]:
    """Create a session from the active package; return None if there is none."""
    # The server reads the path of this URL only.
    source = f"http://localhost{APPLICATION}"
    reply = yield from exchange(_config("POST", f"{TENANT}/session", params={"from": source}, is_repeatable=False))
    if reply.status == 404:
        return None
    return _number(reply)


def _number(reply: Reply) -> str:
    if reply.status != 200:
        raise _refused(reply)
    with understood():
        return str(int(reply.json()["session-id"]))


def _refused(reply: Reply) -> Exception:
    refused = refusal(reply)
    if isinstance(refused, AccessError):
        refused.hint = "a new collection or field needs a token with the permission deploy"
        return refused
    return SchemaError(f"the server refuses the schema: {reply.problem()}")


def _files(session: str, name: str) -> Steps[dict[str, bytes]]:
    found = {}
    for file in (SERVICES, METADATA, _schema_file(name)):
        reply = yield from exchange(_config("GET", f"{TENANT}/session/{session}/content/{quote(file)}"))
        if reply.status not in (200, 404):
            raise _refused(reply)
        found[file] = reply.body if reply.status == 200 else b""
    return found


def _first(wanted: CollectionSchema, model: ModelPart | None) -> Steps[bool]:
    text = services([wanted.name])
    files = {_schema_file(wanted.name): wanted.text().encode(), METADATA: written({wanted.name: wanted.metadata()})}
    if model is not None:
        text = with_component(text, model.component, model.parts)
        files |= {name: path.read_bytes() for name, path in model.files.items()}
    files[SERVICES] = text.encode()
    call = _config("POST", f"{TENANT}/session", body=zipped(files), content_type="application/zip", is_repeatable=False)
    reply = yield from exchange(call)
    return (yield from _activated(_number(reply)))


def _changed(
    session: str, files: Mapping[str, bytes], wanted: CollectionSchema, model: ModelPart | None
) -> Steps[bool]:
    text = with_type(files[SERVICES].decode(), wanted.name)
    if model is not None:
        text = with_component(text, model.component, model.parts)
        for name, path in model.files.items():
            yield from _put(session, name, path.read_bytes())
    collections = parsed(files[METADATA])
    collections[wanted.name] = wanted.metadata()
    yield from _put(session, SERVICES, text.encode())
    yield from _put(session, METADATA, written(collections))
    yield from _put(session, _schema_file(wanted.name), wanted.text().encode())
    return (yield from _activated(session))


def _put(session: str, name: str, content: bytes) -> Steps[None]:
    path = f"{TENANT}/session/{session}/content/{quote(name)}"
    call = _config("PUT", path, body=content, content_type="application/octet-stream")
    reply = yield from exchange(call)
    if reply.status != 200:
        raise _refused(reply)


def _activated(session: str) -> Steps[bool]:
    """Prepare and activate a session; return False if another client was faster."""
    for step in ("prepared", "active"):
        reply = yield from exchange(_config("PUT", f"{TENANT}/session/{session}/{step}", is_repeatable=False))
        if reply.status == 409:
            return False
        if reply.status != 200:
            raise _refused(reply)
    return True

"""Calls the tools of a server with the official SDK for Python.

check.py http URL, or check.py stdio COMMAND ARGUMENT… The documents are those of bin/verify-mcp.
"""

from __future__ import annotations

import asyncio
import json
import sys
from typing import Any

from mcp import Client, MCPError
from mcp.client.stdio import StdioServerParameters


def text(result: Any) -> str:
    assert len(result.content) == 1, result
    return str(result.content[0].text)


async def answer(client: Client, tool: str, arguments: dict[str, Any]) -> Any:
    result = await client.call_tool(tool, arguments)
    assert not result.is_error, text(result)
    return json.loads(text(result))


async def check(server: Any, mode: str, is_limited: bool) -> None:
    async with Client(server, mode=mode, read_timeout_seconds=60) as client:
        assert client.server_info is not None and client.server_info.name == "crabro"
        tools = {tool.name for tool in (await client.list_tools()).tools}
        assert tools == {"search", "get", "visit", "describe"}, tools

        types = (await answer(client, "describe", {}))["types"]
        assert [each["name"] for each in types] == ["notes"], types

        group = {} if is_limited else {"group": "ann"}
        found = (await answer(client, "search", {"query": "tomatoes", **group}))["root"]
        assert found["fields"]["totalCount"] == 1, found
        hit = found["children"][0]
        assert hit["fields"]["title"] == "Garden", hit
        assert hit["fields"]["changed"] > 0, hit
        shown = hit["fields"]["text"]
        assert "tomatoes" in shown and "<hi>" not in shown and len(shown) < 400, shown

        whole = await answer(client, "get", {"id": hit["id"]})
        assert len(whole["fields"]["text"]) > 5000, whole

        page = await answer(client, "visit", {"type": "notes", "count": 1, **group})
        assert len(page["documents"]) == 1, page

        wrong = await client.call_tool("search", {"qery": "tomatoes"})
        assert wrong.is_error and "did you mean 'query'?" in text(wrong), wrong
        for name, arguments in (("serch", {}),) + ((("search", {"group": "bob"}),) if is_limited else ()):
            try:
                await client.call_tool(name, arguments)
            except MCPError as e:
                assert e.error.code == -32602, e
            else:
                raise AssertionError(f"{name} {arguments} was answered")

        many = await asyncio.gather(*(answer(client, "search", {"query": "tomatoes", **group}) for _ in range(40)))
        assert all(each["root"]["fields"]["totalCount"] == 1 for each in many)
        print(f"Python, {sys.argv[1]}, {mode}: ok, version {client.protocol_version}")


kind, *place = sys.argv[1:]
target = place[0] if kind == "http" else StdioServerParameters(command=place[0], args=place[1:])
for each_mode in ("auto", "legacy"):
    asyncio.run(check(target, each_mode, kind == "stdio"))

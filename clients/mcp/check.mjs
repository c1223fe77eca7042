// Calls the tools of a server with the official SDK for TypeScript.
// check.mjs http URL, or check.mjs stdio COMMAND ARGUMENT… The documents are those of bin/verify-mcp.
import assert from "node:assert/strict";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

const [kind, ...place] = process.argv.slice(2);
const isLimited = kind === "stdio";
const group = isLimited ? {} : { group: "ann" };
const client = new Client({ name: "check", version: "1" });
client.onerror = (error) => {
  throw error;
};
await client.connect(
  kind === "http"
    ? new StreamableHTTPClientTransport(new URL(place[0]))
    : new StdioClientTransport({ command: place[0], args: place.slice(1) }),
);

const call = (name, args) => client.callTool({ name, arguments: args });
async function answer(name, args) {
  const result = await call(name, args);
  assert.equal(result.content.length, 1);
  assert.ok(!result.isError, result.content[0].text);
  return JSON.parse(result.content[0].text);
}

assert.equal(client.getServerVersion().name, "crabro");
assert.deepEqual(
  (await client.listTools()).tools.map((tool) => tool.name).sort(),
  ["describe", "get", "search", "visit"],
);
assert.deepEqual((await answer("describe", {})).types.map((type) => type.name), ["notes"]);

const found = (await answer("search", { query: "tomatoes", ...group })).root;
assert.equal(found.fields.totalCount, 1);
const hit = found.children[0];
assert.equal(hit.fields.title, "Garden");
assert.match(hit.fields.text, /tomatoes/);
assert.doesNotMatch(hit.fields.text, /<hi>/);
assert.ok(hit.fields.text.length < 400, hit.fields.text);

const whole = await answer("get", { id: hit.id });
assert.ok(whole.fields.text.length > 5000);
const page = await answer("visit", { type: "notes", count: 1, ...group });
assert.equal(page.documents.length, 1);

const wrong = await call("search", { qery: "tomatoes" });
assert.ok(wrong.isError);
assert.match(wrong.content[0].text, /did you mean 'query'\?/);
await assert.rejects(call("serch", {}), { code: -32602 });
if (isLimited) {
  await assert.rejects(call("search", { group: "bob" }), { code: -32602 });
}
const many = await Promise.all(Array.from({ length: 40 }, () => answer("search", { query: "tomatoes", ...group })));
assert.ok(many.every((each) => each.root.fields.totalCount === 1));
await client.ping();
await client.close();
console.log(`TypeScript, ${kind}: ok`);

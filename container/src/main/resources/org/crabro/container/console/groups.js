// The groups of documents, and which of them a query searches.

import { groups, search } from './server.js';
import { nearest } from './words.js';

/** The most groups of a type that are offered. */
export const OFFERED = 10;
/** The parameter that names the group of a query. */
const OF_GROUP = ['streaming', 'groupname'].join('.');
const ALL_GROUPS = ['streaming', 'selection'].join('.');

const largest = (a, b) => b.documents - a.documents || (a.group < b.group ? -1 : 1);

/** Documents by type and group: [{ type, mode, documents, groupCount, groups: [{ group, documents }] }], largest first. */
export const stored = async (signal) => (await groups(OFFERED, signal)).types;

/** The groups of some types together, largest first: { count, groups: [{ group, documents }] }. */
export function together(known) {
  const sums = new Map();
  for (const { groups: of } of known) {
    for (const { group, documents: count } of of) sums.set(group, (sums.get(group) ?? 0) + count);
  }
  return {
    count: Math.max(sums.size, ...known.map(({ groupCount }) => groupCount), 0),
    groups: [...sums].map(([group, count]) => ({ group, documents: count })).sort(largest).slice(0, OFFERED),
  };
}

/** Parameters for the documents that a query reads: those of a group, else all. */
export function scope(type, group) {
  if (group) return { [OF_GROUP]: group };
  return type.mode === 'streaming' ? { [ALL_GROUPS]: 'true' } : {};
}

/** The same scope as text for other programs. */
export function scopeText(type, group) {
  return group ? { [ALL_GROUPS]: `id.group == ${JSON.stringify(group)}` } : scope(type, group);
}

/** Whether a message of the server asks for a group. */
export const asksForGroup = (message) => message?.includes(OF_GROUP);

/** A sentence about a group that no document has; empty if some has it. */
export async function unknown(types, group, offered, signal) {
  if (offered.some((each) => each.group === group)) return '';
  const found = await Promise.all(types.map((type) =>
    search({ yql: `select * from ${type.name} where true limit 0`, ...scope(type, group) }, signal)));
  if (found.some(({ result }) => result.root.fields?.totalCount > 0)) return '';
  const failed = found.flatMap(({ result }) => result.root.errors ?? [])[0];
  if (failed) return failed.message ?? failed.summary;
  const meant = nearest(group, offered.map((each) => each.group));
  return `No document is in the group "${group}".${meant ? ` Did you mean "${meant}"?` : ''}`;
}

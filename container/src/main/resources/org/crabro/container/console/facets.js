// Facets: the columns whose values group the hits, with counts.

import { h, number } from './dom.js';
import { dateField, nextMonth, text, unitOf } from './dates.js';
import { scope } from './groups.js';
import { search } from './server.js';
import { literal } from './words.js';

/** Columns whose values are counted to find out which suit. */
const CANDIDATES_MAX = 12;
const FACETS_MAX = 6;
const VALUES_MAX = 10;
const MONTHS_MAX = 12;
/** The number of different values that suits any number of documents. */
const FEW = 10;
const SHOWN_MAX = 60;
const TIMEOUT = '10s';
const MONTH = 'by month';

const PREFERRED = [/tag|label|categor|topic|keyword|type|kind|status|folder|list/i, /from|sender|author|creator|owner|person|people|name|user|to$|cc$/i];

function preference({ name }) {
  const found = PREFERRED.findIndex((pattern) => pattern.test(name));
  return found < 0 ? PREFERRED.length : found;
}

function candidates(type) {
  return type.fields
    .filter((field) => field.attribute && /^(string|bool|array<string>|weightedset<string>)$/.test(field.type))
    .sort((a, b) => preference(a) - preference(b))
    .slice(0, CANDIDATES_MAX);
}

/** Below every time. A document without a time has the number before it, or 0. */
const NO_TIME = '-9223372036854775807';
const hasTime = (name) => `filter(not (range(0, 1, ${name})) and range(${NO_TIME}, inf, ${name}))`;

function seconds(name, unit) {
  return unit === 1 ? name : `div(${name}, ${unit})`;
}

/** Groups the documents of a condition: { documents, found }, with what was found for each grouping. */
async function groupings(type, group, condition, parts, signal) {
  const { result } = await search({
    yql: `select * from ${type.name} where ${condition} limit 0 | ${parts.join(' | ')}`,
    ...scope(type, group),
    timezone: 'UTC',
    timeout: TIMEOUT,
  }, signal);
  const [error] = result.root.errors ?? [];
  if (error) throw new Error(`Facets: ${error.message ?? error.summary}`);
  const found = [];
  for (const child of result.root.children ?? []) {
    const at = /^group:root:(\d+)$/.exec(child.id);
    if (at) found[Number(at[1])] = child;
  }
  return { documents: result.root.fields?.totalCount ?? 0, found };
}

/**
 * Finds out which columns of a type suit, from the schema and the number of different values:
 * { facets: [{ name, isTruth }], dates: { field, unit, lowest, highest } or null }.
 */
export async function suited(type, group, signal) {
  const fields = candidates(type);
  const [{ found, documents }, dates] = await Promise.all([
    fields.length > 0
      ? groupings(type, group, 'true', fields.map(({ name }) => `all(group(${name}) output(count()))`), signal)
      : { found: [], documents: 0 },
    spanned(type, group, dateField(type), signal),
  ]);
  const facets = fields.filter((_, i) => {
    const different = found[i]?.fields?.['count()'] ?? 0;
    return different >= 2 && different <= Math.max(FEW, documents / 2);
  }).slice(0, FACETS_MAX).map(({ name, type: of }) => ({ name, isTruth: of === 'bool' }));
  return { facets, dates };
}

/** The first and the last time of a field; null without any. */
async function spanned(type, group, date, signal) {
  if (!date) return null;
  const { name } = date;
  const { found } = await groupings(type, group, `(${name} < 0 or ${name} > 0) and ${name} > ${NO_TIME}`,
    [`all(output(min(${name}), max(${name})))`], signal);
  const lowest = found[0]?.fields?.[`min(${name})`];
  const highest = found[0]?.fields?.[`max(${name})`];
  if (typeof lowest !== 'number' || typeof highest !== 'number') return null;
  const unit = unitOf(date, Math.max(Math.abs(lowest), Math.abs(highest)));
  return { field: date, unit, lowest: lowest / unit, highest: highest / unit };
}

/** The condition in YQL of what is chosen; `without` leaves out one facet. */
export function filters(known, chosen, without) {
  const conditions = [];
  for (const { name, isTruth } of known.facets) {
    const values = [...(chosen.values.get(name) ?? [])];
    if (values.length > 0 && name !== without) {
      const each = values.map((value) => (isTruth ? `${name} = ${value === 'true'}` : `${name} contains ${literal(value)}`));
      conditions.push(each.length === 1 ? each[0] : `(${each.join(' or ')})`);
    }
  }
  if (known.dates) {
    const { field, unit } = known.dates;
    const between = ([from, to]) => `${field.name} >= ${from * unit} and ${field.name} < ${to * unit}`;
    if (chosen.times) conditions.push(between(chosen.times));
    const months = [...(chosen.values.get(MONTH) ?? [])].map(Number);
    if (months.length > 0 && without !== MONTH) {
      const each = months.map((month) => `(${between([month, nextMonth(month)])})`);
      conditions.push(each.length === 1 ? each[0].slice(1, -1) : `(${each.join(' or ')})`);
    }
  }
  return conditions;
}

function grouping(known, name) {
  if (name !== MONTH) return `all(group(${name}) max(${VALUES_MAX}) order(-count()) each(output(count())))`;
  const { field, unit } = known.dates;
  const time = seconds(field.name, unit);
  return `all(group(time.bucket(${time}, "1mo")) ${hasTime(field.name)} max(${MONTHS_MAX}) order(-max(${field.name})) each(output(count())))`;
}

/**
 * Counts the values of each facet under a condition and what is chosen in the other facets:
 * [{ name, title, values: [{ value, title, count, isChosen }] }].
 */
export async function counted({ type, group, condition, known, chosen }, signal) {
  const names = [...known.facets.map(({ name }) => name), ...(known.dates ? [MONTH] : [])];
  const isChosen = (name) => chosen.values.get(name)?.size > 0;
  const batches = [names.filter((name) => !isChosen(name)), ...names.filter(isChosen).map((name) => [name])];
  const found = new Map();
  await Promise.all(batches.filter((batch) => batch.length > 0).map(async (batch) => {
    const conditions = [condition, ...filters(known, chosen, isChosen(batch[0]) ? batch[0] : undefined)].filter((each) => each !== 'true');
    const { found: lists } = await groupings(type, group, conditions.join(' and ') || 'true', batch.map((name) => grouping(known, name)), signal);
    batch.forEach((name, i) => found.set(name, lists[i]?.children?.[0]?.children ?? []));
  }));
  return names.map((name) => facet(name, found.get(name), chosen.values.get(name) ?? new Set(), known))
    .filter(({ values }) => values.length > 0);
}

function facet(name, list, picked, known) {
  const counts = new Map(list.map(({ value, fields }) => [String(value ?? ''), fields?.['count()'] ?? 0]));
  for (const value of picked) if (!counts.has(value)) counts.set(value, 0);
  counts.delete('');
  const title = (value) => (name === MONTH ? text(Number(value)).slice(0, 7) : value);
  return {
    name,
    title: name === MONTH ? `${known.dates.field.name} by month` : name,
    values: [...counts].map(([value, count]) => ({ value, title: title(value), count, isChosen: picked.has(value) })),
  };
}

const short = (value) => (value.length > SHOWN_MAX ? `${value.slice(0, SHOWN_MAX)}…` : value);

/** Draws facets; `toggle` gets the name of a facet and a value. The focus stays at the same value. */
export function draw(place, facets, toggle) {
  const focused = place.contains(document.activeElement) ? document.activeElement.dataset.key : undefined;
  let next;
  place.replaceChildren(...facets.map(({ name, title, values }) => h('fieldset', { class: 'facet' },
    h('legend', {}, title),
    h('ul', {}, values.map(({ value, title: shown, count, isChosen }) => {
      const box = h('input', { type: 'checkbox', onchange: () => toggle(name, value) });
      box.dataset.key = `${name}\n${value}`;
      box.checked = isChosen;
      if (box.dataset.key === focused) next = box;
      return h('li', {}, h('label', {}, box, h('span', { class: 'value' }, short(shown)), h('span', { class: 'count' }, number(count))));
    })))));
  next?.focus();
}

// Hits as a list, and one document with all its fields.

import { h, note } from './dom.js';
import { isDate, shownDate } from './dates.js';
import { pathOfId } from './documents.js';
import { documents } from './server.js';
import { pieces, snippet, wanted } from './words.js';

const TITLES = [/^(title|subject|headline|heading)$/i, /^(name|label|caption|question|summary|path|file|filename)$/i];
/** Columns that tell nothing in a list. */
const IDS = /(^|_)(u?u?id|hash|checksum)$/i;
const SNIPPET_MAX = 220;
const TITLE_MAX = 120;
const META_MAX = 4;

const marked = (parts) => parts.map(({ text, isMatch }) => (isMatch ? h('mark', {}, text) : text));

function titleField(type, fields) {
  const texts = type.fields.filter((field) => field.type === 'string' && fields[field.name]);
  for (const pattern of TITLES) {
    const found = texts.find(({ name }) => pattern.test(name));
    if (found) return found.name;
  }
  return undefined;
}

const own = (id) => id.split(':').slice(4).join(':') || id;

/** What a hit shows: its title, its text around the first match, and short values. */
function parts({ type, hit }, words) {
  const fields = hit.fields ?? {};
  const title = titleField(type, fields);
  const texts = [];
  const short = [];
  for (const { name, ...field } of type.fields) {
    const value = fields[name];
    if (value === undefined || name === title || IDS.test(name)) continue;
    if (isDate({ name, ...field })) short.push([name, [{ text: shownDate({ name, ...field }, value), isMatch: false }]]);
    else if (typeof value === 'string') (field.attribute ? short : texts).push(field.attribute ? [name, pieces(value, words)] : value);
    else if (Array.isArray(value) && value.every((each) => typeof each === 'string')) short.push([name, pieces(value.slice(0, 8).join(', '), words)]);
  }
  const snippets = texts.map((each) => snippet(each, words, SNIPPET_MAX));
  return {
    title: title ? snippet(fields[title], words, TITLE_MAX) : [{ text: own(hit.id), isMatch: false }],
    snippet: snippets.find((each) => each.some((piece) => piece.isMatch)) ?? snippets[0] ?? [],
    meta: short.filter(([, value]) => value.length > 0).slice(0, META_MAX),
  };
}

/** An item of the list; `open` shows its document. */
export function item(entry, typed, isTypeShown, open) {
  const words = wanted(typed);
  const { title, snippet: text, meta } = parts(entry, words);
  const link = h('a', {
    href: `#/documents?id=${encodeURIComponent(entry.hit.id)}`,
    onclick: (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      open(entry, link);
    },
  }, marked(title));
  return h('li', {},
    h('h2', {}, link),
    text.length > 0 ? h('p', {}, marked(text)) : null,
    h('p', { class: 'quiet' },
      isTypeShown ? h('span', {}, entry.type.name) : null,
      meta.map(([name, value]) => h('span', {}, `${name} `, h('span', { class: 'value' }, marked(value))))));
}

function value(field, of, words) {
  if (typeof of === 'string') return marked(pieces(of, words));
  if (isDate(field)) return `${shownDate(field, of)} (${of})`;
  if (typeof of === 'number') return String(of);
  if (Array.isArray(of) && of.every((each) => typeof each === 'string')) return marked(pieces(of.join(', '), words));
  return typeof of === 'object' ? h('code', {}, JSON.stringify(of)) : String(of);
}

/** All fields of the document of a hit. */
export async function whole({ type, hit }, typed, signal) {
  const found = await documents(pathOfId(hit.id), { 'format.tensors': 'short-value' }, signal);
  const words = wanted(typed);
  const fields = Object.entries(found.fields ?? {});
  const byName = new Map(type.fields.map((field) => [field.name, field]));
  return [
    h('p', {}, h('a', { href: `#/documents?id=${encodeURIComponent(found.id)}` }, found.id)),
    fields.length > 0
      ? h('dl', { class: 'document' }, fields.map(([name, of]) =>
        [h('dt', {}, name), h('dd', {}, value(byName.get(name) ?? { name, type: '' }, of, words))]))
      : note('The document has no fields.'),
  ];
}

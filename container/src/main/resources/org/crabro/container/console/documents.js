import { field, h, json, note, number, show, shown, table } from './dom.js';
import { documents, schemas } from './server.js';

/** Splits an id such as `id:home:note:g=anna:1` into the parts of its path. */
export function pathOfId(id) {
  const match = /^id:([^:]*):([^:]+):((?:n|g)=[^:]*)?:([^]*)$/.exec(id);
  if (!match) throw new Error(`Expected an id such as id:home:note:g=anna:1, but found ${id}`);
  const [, namespace, type, key, own] = match;
  if (!key) return [namespace, type, 'docid', own];
  return [namespace, type, key[0] === 'g' ? 'group' : 'number', key.slice(2), own];
}

/**
 * Puts a selection into parentheses. It may not close them itself: `true) or (true` would select documents of every type.
 */
export function enclosed(selection) {
  const unquoted = selection.replace(/"(?:\\[^]|[^"\\])*"|'(?:\\[^]|[^'\\])*'/g, '');
  let depth = 0;
  for (const character of unquoted) {
    if (character === '(') depth += 1;
    if (character === ')') depth -= 1;
    if (depth < 0) break;
  }
  if (depth !== 0 || /["']/.test(unquoted)) {
    throw new Error('Expected a selection that closes each parenthesis and quote that it opens.');
  }
  return `(${selection})`;
}

export async function open(place, { parameters }) {
  const { clusters, types } = await schemas();
  if (clusters.length === 0) {
    place.replaceChildren(note('The application stores no documents.'));
    return;
  }
  const option = (name) => h('option', { value: name }, name);
  const cluster = h('select', {}, clusters.map(({ name }) => option(name)));
  const type = h('select', {}, h('option', { value: '' }, 'all types'), types.map(({ name }) => option(name)));
  type.value = parameters.get('type') ?? '';
  const namespace = h('input', { autocomplete: 'off' });
  const group = h('input', { autocomplete: 'off' });
  const selection = h('input', { autocomplete: 'off', placeholder: 'note.time > 15' });
  const count = h('input', { type: 'number', min: '1', max: '1000', value: '20' });
  const id = h('input', { autocomplete: 'off', value: parameters.get('id') ?? '', placeholder: 'id:home:note:g=anna:1' });
  const list = h('div', { 'aria-live': 'polite' });
  const one = h('div', { 'aria-live': 'polite' });

  const path = () => {
    if (!namespace.value && !group.value) return [];
    if (!namespace.value || !type.value) throw new Error('A namespace or a group needs a namespace and a type.');
    return group.value ? [namespace.value, type.value, 'group', group.value] : [namespace.value, type.value, 'docid'];
  };

  const visit = async (continuation, pageNumber = 1) => {
    const parts = path();
    const conditions = [selection.value && enclosed(selection.value), parts.length === 0 && type.value].filter(Boolean);
    const page = await documents(parts, {
      cluster: cluster.value,
      selection: conditions.join(' and '),
      wantedDocumentCount: count.value,
      'format.tensors': 'short-value',
      continuation,
    });
    const rows = page.documents ?? [];
    const next = h('div');
    return [
      table(`${number(rows.length)} documents, page ${pageNumber}`, [
        ['Id', (row) => h('a', { href: `#/documents?id=${encodeURIComponent(row.id)}` }, row.id)],
        ['Fields', (row) => shown(row.fields)],
      ], rows),
      page.continuation
        ? h('div', {}, next, h('button', {
          type: 'button',
          onclick: (event) => {
            event.target.remove();
            show(next, () => visit(page.continuation, pageNumber + 1));
          },
        }, 'More documents'))
        : note('These are all.'),
    ];
  };

  const groups = async () => {
    if (!namespace.value || !type.value) throw new Error('Groups are listed for a namespace and a type.');
    const found = await documents([namespace.value, type.value, 'group'], { selection: selection.value });
    return [
      table(`${number(found.groupCount)} groups`, [
        ['Group', (row) => row.group],
        ['Documents', (row) => row.documentCount, 'number'],
        ['Bytes', (row) => row.bytes, 'number'],
      ], found.groups),
      found.continuation ? note('There are more groups than these.') : null,
    ];
  };

  const read = async () => {
    const found = await documents(pathOfId(id.value.trim()), { 'format.tensors': 'short-value' });
    return [h('h3', {}, found.id), json(found.fields ?? {}, `Fields of ${found.id}`)];
  };

  place.replaceChildren(
    h('section', { 'aria-labelledby': 'one' },
      h('h2', { id: 'one' }, 'One document'),
      h('form', { onsubmit: (event) => { event.preventDefault(); show(one, read); } },
        h('div', { class: 'fields' }, field('Id', id, 'wide'), h('button', { class: 'main' }, 'Read'))),
      one),
    h('section', { 'aria-labelledby': 'many' },
      h('h2', { id: 'many' }, 'Visit'),
      h('form', { onsubmit: (event) => { event.preventDefault(); show(list, () => visit('')); } },
        h('div', { class: 'fields' },
          field('Cluster', cluster), field('Type', type), field('Namespace', namespace), field('Group', group),
          field('Selection', selection, 'wide'), field('Documents per page', count),
          h('button', { class: 'main' }, 'Visit'),
          h('button', { type: 'button', onclick: () => show(list, groups) }, 'List groups'))),
      list));
  if (id.value) await show(one, read);
}

import { details, facts, field, h, json, note, number, show, shown, table } from './dom.js';
import { OFFERED, asksForGroup, scope, stored, together } from './groups.js';
import { schemas, search } from './server.js';

const LAST = 'crabro.query';

function remembered() {
  try {
    return JSON.parse(sessionStorage.getItem(LAST)) ?? {};
  } catch {
    return {};
  }
}

export async function open(place, { parameters, signal }) {
  const { types } = await schemas();
  const last = remembered();
  const type = parameters.get('type');
  const yql = h('textarea', { rows: '4', spellcheck: 'false', required: true });
  yql.value = type || !last.yql ? `select * from ${type ?? types[0]?.name ?? 'sources *'} where true` : last.yql;
  const group = h('input', { autocomplete: 'off' });
  group.value = last.group ?? '';
  const ranking = h('input', { autocomplete: 'off', list: 'profiles' });
  ranking.value = last.ranking ?? '';
  const hits = h('input', { type: 'number', min: '0', max: '400', value: last.hits ?? '10' });
  const others = h('textarea', { rows: '3', spellcheck: 'false', placeholder: '{"input.query(here)": "[60, 10]"}' });
  others.value = last.others ?? '';
  const explain = h('input', { type: 'checkbox' });
  explain.checked = last.explain ?? false;
  const result = h('div', { 'aria-live': 'polite' });
  let running = new AbortController();
  signal.addEventListener('abort', () => running.abort());

  const run = async () => {
    let more = {};
    if (others.value.trim()) {
      try {
        more = JSON.parse(others.value);
      } catch (error) {
        throw new Error(`Other parameters: expected a JSON object. ${error.message}`);
      }
    }
    sessionStorage.setItem(LAST, JSON.stringify({
      yql: yql.value, group: group.value, ranking: ranking.value, hits: hits.value, others: others.value, explain: explain.checked,
    }));
    running.abort();
    running = new AbortController();
    const asked = {
      yql: yql.value,
      hits: Number(hits.value),
      ...(group.value && scope({}, group.value)),
      ...(ranking.value && { ranking: ranking.value }),
      'presentation.timing': true,
      'presentation.format.tensors': 'short-value',
      ...(explain.checked && { 'trace.explain': true, 'trace.level': 2 }),
      ...more,
    };
    const begin = performance.now();
    const answer = await search(asked, running.signal);
    if (!group.value && answer.result.root.errors?.some(({ message }) => asksForGroup(message))) {
      const { count, groups } = together(await stored(running.signal));
      if (count !== 1) throw new Error(chooseOne(count, groups));
      group.value = groups[0].group;
      return run();
    }
    return drawn(answer, performance.now() - begin);
  };

  place.replaceChildren(
    h('form', { onsubmit: (event) => { event.preventDefault(); show(result, run); } },
      field('YQL', yql),
      h('div', { class: 'fields' },
        field('Group', group), field('Rank profile', ranking), field('Hits', hits), field('Explain', explain, 'check'),
        h('button', { class: 'main' }, 'Run')),
      details('Other parameters', field('JSON object', others))),
    h('datalist', { id: 'profiles' },
      [...new Set(types.flatMap((each) => each.rankProfiles.map((profile) => profile.name)))]
        .map((name) => h('option', { value: name }))),
    h('h2', {}, 'Result'), result);
  if (others.value) place.querySelector('details').open = true;
}

function chooseOne(count, groups) {
  if (count === 0) return 'No document is in a group.';
  const names = groups.map((each) => `${each.group} (${number(each.documents)})`).join(', ');
  return `Choose a group in the field Group: ${names}.${count > OFFERED ? ` These are the ${OFFERED} largest of ${number(count)}.` : ''}`;
}

function drawn({ status, bytes, result }, millis) {
  const { root, timing, trace } = result;
  const children = root.children ?? [];
  const hits = children.filter((child) => child.fields && !String(child.id).startsWith('group:'));
  const groups = children.filter((child) => !hits.includes(child));
  const coverage = root.coverage;
  return [
    ...(root.errors ?? []).map((error) => h('p', { class: 'error', role: 'alert' },
      [error.summary, error.message].filter(Boolean).join(': '))),
    facts(
      ['Status', String(status)],
      ['Matches', number(root.fields?.totalCount)],
      ['Coverage', coverage
        ? `${coverage.coverage} % of ${number(coverage.documents)} documents, ${number(coverage.nodes)} node${coverage.nodes === 1 ? '' : 's'}${coverage.degraded ? `; degraded: ${JSON.stringify(coverage.degraded)}` : ''}`
        : undefined],
      ['Time in the server', timing ? `${number(timing.searchtime * 1000)} ms, matching ${number(timing.querytime * 1000)} ms, summaries ${number(timing.summaryfetchtime * 1000)} ms` : undefined],
      ['Time in the browser', `${number(millis)} ms, ${number(bytes)} characters`],
    ),
    hits.length > 0 ? table(`${number(hits.length)} hits`, [
      ['Relevance', (hit) => hit.relevance, 'number'],
      ['Id', (hit) => hit.fields.documentid
        ? h('a', { href: `#/documents?id=${encodeURIComponent(hit.fields.documentid)}` }, hit.fields.documentid)
        : hit.id],
      ['Fields', (hit) => h('dl', { class: 'facts' }, Object.entries(hit.fields)
        .filter(([name]) => name !== 'documentid' && name !== 'sddocname')
        .map(([name, value]) => [h('dt', {}, name), h('dd', {}, shown(value))]))],
    ], hits) : note('No hits.'),
    groups.length > 0 ? details('Groups', json(groups, 'Groups')) : null,
    trace?.plan ? h('section', { 'aria-labelledby': 'plan' }, h('h2', { id: 'plan' }, 'Plan'), plan(trace.plan)) : null,
    trace ? details('Trace', json(trace, 'Trace')) : null,
    details('Response', json(result, 'Response')),
  ].filter(Boolean);
}

/** Draws a plan. Members that are not known here are shown as they are. */
function plan({ millis, phases, searches, hits, ...others }) {
  return [
    millis === undefined ? null : h('p', {}, `${number(millis)} ms in all.`),
    phasesTable('Phases of the container', phases),
    ...(searches ?? []).map(({ nodes, ...place }) => h('section', {},
      h('h3', {}, `Search: ${Object.values(place).map((each) => (typeof each === 'object' ? JSON.stringify(each) : each)).join(', ')}`),
      (nodes ?? []).map(node))),
    Array.isArray(hits) && hits.some((hit) => hit.features)
      ? details('Rank features of hits', table('Rank features', [
        ['Hit', (hit) => hit.id],
        ['Relevance', (hit) => hit.relevance, 'number'],
        ['Features', (hit) => h('dl', { class: 'facts' }, Object.entries(hit.features ?? {})
          .map(([name, value]) => [h('dt', {}, name), h('dd', {}, typeof value === 'number' ? number(value) : shown(value))]))],
      ], hits))
      : null,
    Object.keys(others).length > 0 ? json(others, 'More of the plan') : null,
  ].filter(Boolean);
}

function node({ phases, reads, condition, ...counts }, index) {
  return h('div', {},
    h('h4', {}, `Node ${index}`),
    facts(...Object.entries(counts).map(([name, value]) => [name, typeof value === 'number' ? number(value) : shown(value)])),
    phasesTable(`Phases of node ${index}`, phases),
    Array.isArray(reads) && reads.length > 0 ? generic(`Reads of node ${index}`, reads) : null,
    condition ? [h('h4', {}, 'Conditions'), h('ul', { class: 'plan' }, conditions(condition))] : null);
}

function phasesTable(caption, phases) {
  if (!Array.isArray(phases) || phases.length === 0) return null;
  const most = Math.max(...phases.map((phase) => phase.millis), 0.001);
  return table(caption, [
    ['Phase', (phase) => phase.name],
    ['ms', (phase) => phase.millis, 'number'],
    ['Share', (phase) => h('meter', { min: '0', max: most, value: phase.millis, 'aria-label': `${phase.name}: ${number(phase.millis)} ms` })],
  ], phases);
}

/** A table of objects whose members are its columns. */
function generic(caption, rows) {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  return table(caption, names.map((name) => [
    name,
    (row) => (typeof row[name] === 'object' && row[name] !== null ? shown(row[name]) : row[name]),
    rows.every((row) => row[name] === undefined || typeof row[name] === 'number') ? 'number' : undefined,
  ]), rows);
}

function conditions({ operator, text, children, ...counts }) {
  return h('li', {},
    h('strong', {}, operator ?? 'condition'), ' ', text ? h('code', {}, text) : '',
    h('span', { class: 'quiet' }, ` ${Object.entries(counts).map(([name, value]) => `${name} ${typeof value === 'number' ? number(value) : shown(value)}`).join(', ')}`),
    children?.length > 0 ? h('ul', { class: 'plan' }, children.map(conditions)) : null);
}

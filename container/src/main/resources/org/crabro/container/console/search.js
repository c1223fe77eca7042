// The start page: a field that searches as you type, with facets, dates, and the document beside the hit.

import { code, details, failure, field, h, note, number, table } from './dom.js';
import { counted, draw, filters, suited } from './facets.js';
import { dateField, slider } from './dates.js';
import { asksForGroup, scope, scopeText, stored, together, unknown } from './groups.js';
import { item, whole } from './hits.js';
import { schemas, search, services, token } from './server.js';
import { MARKING, condition } from './words.js';

const HITS = 20;
const TIMEOUT = '5s';
/** The most types that one search asks. */
const TYPES_MAX = 8;
/** Types and groups whose columns are remembered. */
const SUITED_MAX = 20;
const GROUP = 'crabro.group';
const PROFILE = 'words';
/** The measure of a repaint: from a key until the hits are painted. */
const REPAINT = 'crabro.repaint';

export async function open(place, { server, parameters, signal }) {
  if (!server.application) {
    place.replaceChildren(
      note('No application is deployed.'),
      h('p', {}, 'Import a folder of documents first: ', h('code', {}, 'crabro import FOLDER')));
    return;
  }
  const { types: all } = await schemas();
  const types = all.filter(({ mode }) => mode && mode !== 'store-only');
  if (types.length === 0) {
    place.replaceChildren(note('The application has no documents that can be searched.'));
    return;
  }
  const page = new Page({ place, server, types, signal });
  page.read(parameters);
  page.frame();
  await page.groups();
  page.run();
}

class Page {
  constructor({ place, server, types, signal }) {
    Object.assign(this, { place, server, types, signal });
    this.chosen = { values: new Map(), times: null };
    this.known = [];
    this.columns = new Map();
    this.running = new AbortController();
    this.reading = new AbortController();
    signal.addEventListener('abort', () => {
      this.running.abort();
      this.reading.abort();
    });
  }

  /** Takes over what the address names. */
  read(parameters) {
    this.typed = parameters.get('q') ?? '';
    this.type = this.types.find(({ name }) => name === parameters.get('type')) ?? (this.types.length === 1 ? this.types[0] : null);
    this.group = parameters.get('group') ?? '';
    this.isNewest = parameters.get('order') === 'newest';
    for (const each of parameters.getAll('with')) {
      const at = each.indexOf(':');
      if (at > 0) this.toggled(each.slice(0, at), each.slice(at + 1));
    }
    const times = (parameters.get('times') ?? '').split(',').map(Number);
    if (times.length === 2 && times.every(Number.isFinite)) this.chosen.times = times;
  }

  /** Puts what is chosen into the address, so that it can be reloaded and kept. */
  remember() {
    const parameters = new URLSearchParams();
    if (this.typed) parameters.set('q', this.typed);
    if (this.type && this.types.length > 1) parameters.set('type', this.type.name);
    if (this.group) parameters.set('group', this.group);
    if (this.isNewest) parameters.set('order', 'newest');
    if (this.chosen.times) parameters.set('times', this.chosen.times.join(','));
    for (const [name, values] of this.chosen.values) for (const value of values) parameters.append('with', `${name}:${value}`);
    history.replaceState(null, '', `#/search${parameters.size > 0 ? `?${parameters}` : ''}`);
    if (this.group) sessionStorage.setItem(GROUP, this.group);
    else sessionStorage.removeItem(GROUP);
  }

  toggled(name, value) {
    const values = this.chosen.values.get(name) ?? new Set();
    if (!values.delete(value)) values.add(value);
    if (values.size > 0) this.chosen.values.set(name, values);
    else this.chosen.values.delete(name);
  }

  frame() {
    const { place, signal } = this;
    this.input = h('input', { type: 'search', id: 'words', autocomplete: 'off', spellcheck: 'false', 'aria-describedby': 'found', placeholder: 'Words' });
    this.input.value = this.typed;
    this.input.addEventListener('input', () => {
      const begin = performance.now();
      this.typed = this.input.value;
      this.run(begin);
    });
    this.chooser = h('div', { class: 'fields' });
    this.found = h('p', { id: 'found', role: 'status' });
    this.times = h('div');
    this.facets = h('div');
    this.filters = h('details', { class: 'filters', hidden: true }, h('summary', {}, 'Filters'), this.times, this.facets);
    this.list = h('ol', { class: 'hits' });
    this.hits = h('div', { class: 'found' });
    this.document = h('section', { class: 'beside', 'aria-label': 'Document', hidden: true });
    this.copies = h('div');
    this.counts = h('div');
    place.replaceChildren(
      h('form', { role: 'search', onsubmit: (event) => { event.preventDefault(); this.run(); } }, field('Search', this.input, 'words'), this.chooser),
      this.found,
      h('div', { class: 'search' }, this.filters, this.hits, this.document),
      this.copies, this.counts);
    if (matchMedia('(min-width: 60rem)').matches) this.filters.open = true;
    place.addEventListener('keydown', (event) => this.pressed(event));
    document.addEventListener('keydown', (event) => {
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName)) return;
      event.preventDefault();
      this.input.focus();
      this.input.select();
    }, { signal });
    if (document.activeElement === document.body) this.input.focus();
  }

  /** Reads which groups there are, and offers a choice where there is one. */
  async groups() {
    const { signal } = this;
    try {
      this.known = await stored(signal);
    } catch (error) {
      if (signal.aborted) return;
      this.counts.replaceChildren(failure(error));
    }
    const last = sessionStorage.getItem(GROUP);
    if (!this.group && this.offered().groups.some(({ group }) => group === last)) this.group = last;
    this.chooseFrom();
    this.table();
  }

  scopeTypes() {
    return this.type ? [this.type] : this.types.slice(0, TYPES_MAX);
  }

  offered() {
    const names = new Set(this.scopeTypes().map(({ name }) => name));
    return together(this.known.filter(({ type }) => names.has(type)));
  }

  chooseFrom() {
    const { count, groups } = this.offered();
    const choices = [];
    if (this.types.length > 1) {
      const choice = h('select', { onchange: () => this.chooseType(choice.value) },
        h('option', { value: '' }, 'all types'), this.types.map(({ name }) => h('option', { value: name }, name)));
      choice.value = this.type?.name ?? '';
      choices.push(field('Type', choice));
    }
    const mustChoose = this.scopeTypes().some(({ mode }) => mode === 'streaming');
    if (count === 1 && !this.group && mustChoose) this.group = groups[0]?.group ?? '';
    if (count > groups.length) {
      const choice = h('input', { autocomplete: 'off', list: 'groups', onchange: () => this.chooseGroup(choice.value.trim()) });
      choice.value = this.group;
      choices.push(field('Group', choice), h('datalist', { id: 'groups' }, groups.map(({ group }) => h('option', { value: group }))));
    } else if (count > 1) {
      const choice = h('select', { onchange: () => this.chooseGroup(choice.value) },
        h('option', { value: '' }, mustChoose ? 'choose a group' : 'all groups'),
        groups.map(({ group, documents }) => h('option', { value: group }, `${group} (${number(documents)})`)));
      choice.value = this.group;
      choices.push(field('Group', choice));
    }
    if (this.scopeTypes().some(dateField)) {
      const order = h('select', { onchange: () => { this.isNewest = order.value === 'newest'; this.run(); } },
        h('option', { value: 'best' }, 'best first'), h('option', { value: 'newest' }, 'newest first'));
      order.value = this.isNewest ? 'newest' : 'best';
      choices.push(field('Order', order));
    }
    this.chooser.replaceChildren(...choices);
  }

  chooseType(name) {
    this.type = this.types.find((each) => each.name === name) ?? null;
    this.chosen = { values: new Map(), times: null };
    if (!this.offered().groups.some(({ group }) => group === this.group)) this.group = '';
    this.chooseFrom();
    this.run();
  }

  chooseGroup(group) {
    this.group = group;
    this.chosen = { values: new Map(), times: null };
    this.chooseFrom();
    this.run();
  }

  table() {
    this.counts.append(h('section', { 'aria-labelledby': 'stored' }, h('h2', { id: 'stored' }, 'Stored'),
      table('Documents by type and group', [
        ['Type', (row) => row.type],
        ['Documents', (row) => row.documents, 'number'],
        ['Groups', (row) => row.groupCount, 'number'],
        ['Largest groups', (row) => row.groups.map(({ group, documents }, i) => [i > 0 ? ' ' : '', h('button', {
          type: 'button',
          class: 'small',
          onclick: () => {
            if (this.types.length > 1) this.type = this.types.find(({ name }) => name === row.type) ?? null;
            this.chooseGroup(group);
            this.input.focus();
          },
        }, `${group} (${number(documents)})`)]).flat()],
      ], this.known)));
  }

  /** The columns that suit a type and a group; empty until they are known. */
  columnsOf(type) {
    return this.columns.get(`${type.name}\n${this.group}`)?.known ?? { facets: [], dates: null };
  }

  async learn(type, signal) {
    const key = `${type.name}\n${this.group}`;
    if (!this.columns.has(key)) {
      const known = await suited(type, this.group, signal);
      if (this.columns.size >= SUITED_MAX) this.columns.delete(this.columns.keys().next().value);
      this.columns.set(key, { known });
    }
    return this.columns.get(key).known;
  }

  asked(type) {
    const conditions = [condition(type, this.typed), ...(this.type ? filters(this.columnsOf(type), this.chosen) : [])].filter((each) => each !== 'true');
    const date = dateField(type);
    const isSorted = date && (this.isNewest || !this.typed.trim());
    return {
      yql: `select * from ${type.name} where ${conditions.join(' and ') || 'true'}${isSorted ? ` order by ${date.name} desc` : ''}`,
      hits: HITS,
      ...(type.rankProfiles.some(({ name }) => name === PROFILE) && !isSorted && { ranking: PROFILE }),
    };
  }

  /** Searches. What was asked before is ended, and never drawn. */
  async run(begin = performance.now()) {
    this.running.abort();
    const controller = new AbortController();
    this.running = controller;
    const { signal } = controller;
    if (this.signal.aborted) return;
    this.remember();
    const types = this.scopeTypes();
    const offered = this.offered();
    if (!this.group && types.some(({ mode }) => mode === 'streaming') && offered.count > 1) {
      this.mustChoose(offered);
      return;
    }
    try {
      // Filters of the address need the columns first.
      if (this.type && (this.chosen.values.size > 0 || this.chosen.times)) await this.learn(this.type, signal);
      const answers = await Promise.all(types.map((type) => search({
        ...this.asked(type),
        ...scope(type, this.group),
        ...MARKING,
        timeout: TIMEOUT,
        'presentation.documentIds': true,
        'presentation.format.tensors': 'short-value',
      }, signal)));
      if (signal.aborted) return;
      this.draw(types, answers.map(({ result }) => result), performance.now() - begin);
      measured(begin);
      if (this.group && answers.every(({ result }) => !(result.root.fields?.totalCount > 0))) {
        const sentence = await unknown(types, this.group, offered.groups, signal);
        if (signal.aborted) return;
        if (sentence) {
          this.fail(sentence);
          this.hits.append(this.groupButtons(offered.groups));
          return;
        }
      }
    } catch (error) {
      if (!signal.aborted && error.name !== 'AbortError') this.fail(error.message);
      return;
    }
    try {
      await this.drawFacets(signal);
    } catch (error) {
      // The hits stay.
      if (signal.aborted || error.name === 'AbortError') return;
      this.facets.replaceChildren(failure(error));
      this.filters.hidden = false;
    }
  }

  fail(message) {
    this.hits.replaceChildren(failure(new Error(message)));
    this.found.textContent = '';
  }

  mustChoose({ count, groups }) {
    this.found.textContent = `Choose one of ${number(count)} groups.`;
    this.hits.replaceChildren(this.groupButtons(groups));
    this.filters.hidden = true;
    this.copies.replaceChildren();
    this.close();
  }

  groupButtons(groups) {
    return h('p', {}, groups.map(({ group, documents }, i) => [i > 0 ? ' ' : '', h('button', {
      type: 'button', onclick: () => { this.chooseGroup(group); this.input.focus(); },
    }, `${group} (${number(documents)})`)]).flat());
  }

  draw(types, results, millis) {
    const errors = results.flatMap(({ root }) => root.errors ?? [])
      .map(({ summary, message }) => (asksForGroup(message) ? 'Choose a group.' : [summary, message].filter(Boolean).join(': ')));
    const entries = results.flatMap(({ root }, i) => (root.children ?? []).filter((hit) => hit.fields).map((hit) => ({ type: types[i], hit })));
    if (types.length > 1) entries.sort((a, b) => b.hit.relevance - a.hit.relevance);
    const total = results.reduce((sum, { root }) => sum + (root.fields?.totalCount ?? 0), 0);
    const isPart = results.some(({ root }) => root.coverage?.degraded);
    this.found.textContent = `${number(total)} document${total === 1 ? '' : 's'}${this.group ? ` in ${this.group}` : ''}, ${Math.round(millis)} ms`
      + (isPart ? '. Not all documents were searched in time.' : '');
    // A search may end while a hit has the focus: it stays there, or goes back to the field.
    const focused = this.list.contains(document.activeElement) ? document.activeElement.getAttribute('href') : null;
    this.list.replaceChildren(...entries.slice(0, HITS).map((entry) => item(entry, this.typed, types.length > 1, (...of) => this.show(...of))));
    this.hits.replaceChildren(
      ...errors.map((message) => failure(new Error(message))),
      types.length > 1 ? this.byType(types, results) : '',
      entries.length > 0 ? this.list : note(errors.length > 0 ? '' : 'No hits.'));
    if (focused !== null) ([...this.list.querySelectorAll('h2 a')].find((link) => link.getAttribute('href') === focused) ?? this.input).focus();
  }

  /** How many hits each type has. A click shows those of one. */
  byType(types, results) {
    return h('p', {}, types.map((type, i) => [i > 0 ? ' ' : '', h('button', {
      type: 'button', class: 'small', onclick: () => { this.chooseType(type.name); this.input.focus(); },
    }, `${type.name} (${number(results[i].root.fields?.totalCount ?? 0)})`)]).flat());
  }

  async drawFacets(signal) {
    if (!this.type) {
      this.filters.hidden = true;
      this.drawCopies();
      return;
    }
    const { type, group, chosen } = this;
    const known = await this.learn(type, signal);
    if (signal.aborted) return;
    this.drawCopies();
    this.drawTimes(known);
    const facets = await counted({ type, group, condition: condition(type, this.typed), known, chosen }, signal);
    if (signal.aborted) return;
    draw(this.facets, facets, (name, value) => {
      this.toggled(name, value);
      this.run();
    });
    this.filters.hidden = facets.length === 0 && !known.dates;
  }

  /** The slider stays while it is moved: it is drawn again only for other columns. */
  drawTimes(known) {
    if (!known.dates) {
      this.times.replaceChildren();
      this.sliderOf = null;
    } else if (this.sliderOf !== known) {
      this.sliderOf = known;
      this.times.replaceChildren(slider(known.dates.field, known.dates, this.chosen.times, (times) => {
        this.chosen.times = times;
        this.run();
      }));
    }
  }

  /** The query for other programs. */
  drawCopies() {
    const isOpen = this.copies.querySelector('details')?.open;
    const types = this.scopeTypes();
    const one = types[0];
    const asked = types.length === 1
      ? this.asked(one)
      : { ...this.asked(one), yql: `select * from ${types.map(({ name }) => name).join(', ')} where ${condition(one, this.typed)}` };
    const body = JSON.stringify({ ...asked, ...scopeText(one, this.group) }, null, 1).replace(/\n\s*/g, ' ');
    const curl = (address) => `curl ${quoted(address)}${token.get() ? ' -H "Authorization: Bearer $TOKEN"' : ''} -H 'Content-Type: application/json' -d ${quoted(body)}`;
    const asCurl = code(curl(`${location.origin}/console/api/search`), 'curl');
    this.address ??= queryAddress(this.server.application);
    this.address.then((address) => { if (address) asCurl.textContent = curl(address); });
    const box = details('This search for other programs',
      h('h3', {}, 'As YQL'), code(asked.yql, 'YQL'), copy('Copy YQL', () => asked.yql),
      h('h3', {}, 'As curl'), asCurl, copy('Copy curl', () => asCurl.textContent));
    box.open = isOpen ?? false;
    if (this.copies.contains(document.activeElement)) return;
    this.copies.replaceChildren(box);
  }

  async show(entry, link) {
    this.reading.abort();
    const controller = new AbortController();
    this.reading = controller;
    this.opener = entry.hit.id;
    for (const each of this.list.querySelectorAll('a[aria-current]')) each.removeAttribute('aria-current');
    link.setAttribute('aria-current', 'true');
    const heading = h('h2', { tabindex: '-1' }, link.textContent);
    const content = h('div', { 'aria-busy': 'true' });
    this.document.replaceChildren(h('button', { type: 'button', class: 'small', onclick: () => this.close() }, 'Close'), heading, content);
    this.document.hidden = false;
    // Below the hits, the document would not be seen.
    if (!matchMedia('(min-width: 60rem)').matches) heading.focus();
    try {
      content.replaceChildren(...await whole(entry, this.typed, controller.signal));
    } catch (error) {
      if (controller.signal.aborted) return;
      content.replaceChildren(failure(error));
    }
    content.removeAttribute('aria-busy');
  }

  /** Closes the document, and returns to its hit. */
  close() {
    this.reading.abort();
    if (this.document.hidden) return;
    const hadFocus = this.document.contains(document.activeElement);
    this.document.hidden = true;
    const link = this.list.querySelector('a[aria-current]');
    link?.removeAttribute('aria-current');
    if (hadFocus) (link ?? this.input).focus();
  }

  /** Arrows move through the hits, Escape goes back. */
  pressed(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const links = [...this.list.querySelectorAll('h2 a')];
    const at = links.indexOf(document.activeElement);
    const isInput = document.activeElement === this.input;
    if (event.key === 'Escape') {
      if (!this.document.hidden) this.close();
      else if (at >= 0) this.input.focus();
      else if (isInput && this.typed) {
        this.input.value = '';
        this.typed = '';
        this.run();
      } else return;
      event.preventDefault();
      return;
    }
    const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: links.length - 1 }[event.key];
    if (next === undefined || !(at >= 0 || (isInput && event.key === 'ArrowDown')) || links.length === 0) return;
    event.preventDefault();
    if (next < 0) this.input.focus();
    else links[Math.min(next, links.length - 1)].focus();
  }
}

/** A word of a shell, whatever it contains. */
export function quoted(text) {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** The address for queries of other programs; empty if it may not be known. */
async function queryAddress(application) {
  try {
    const { services: all } = await services(application);
    const container = all?.find(({ type }) => type === 'container');
    return container ? `${location.protocol}//${container.host}:${container.port}/search/` : '';
  } catch {
    return '';
  }
}

function copy(title, content) {
  const told = h('span', { role: 'status', class: 'quiet' });
  return h('p', {}, h('button', {
    type: 'button',
    onclick: async () => {
      try {
        await navigator.clipboard.writeText(content());
        told.textContent = ' Copied.';
      } catch {
        told.textContent = ' The browser does not allow it: select the text above.';
      }
    },
  }, title), told);
}

/** Measures the time until the browser has painted. */
function measured(begin) {
  // The frame is painted before the next task.
  requestAnimationFrame(() => setTimeout(() => {
    performance.clearMeasures(REPAINT);
    performance.measure(REPAINT, { start: begin, end: performance.now() });
  }));
}

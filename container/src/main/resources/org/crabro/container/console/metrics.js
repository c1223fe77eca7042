import { details, field, h, note, number, show, table } from './dom.js';
import { metrics, seconds, values } from './server.js';

const EVERY_MILLIS = 30_000;
const SECOND_MILLIS = 1000;
/** The seconds that are shown: the last ones, or all that the server has. */
const SPANS = [['5 minutes', 300], ['15 minutes', 900], ['hour', 3600]];

/** uPlot is a script of its own, and is loaded for this page alone. */
let library;
function uPlot() {
  library ??= new Promise((done, failed) => {
    document.head.append(h('link', { rel: 'stylesheet', href: 'uPlot.min.css' }));
    document.head.append(h('script', {
      src: 'uPlot.iife.min.js',
      onload: () => done(window.uPlot),
      onerror: () => failed(new Error('The library for plots cannot be loaded.')),
    }));
  });
  return library;
}

export async function open(place, { signal }) {
  const plots = h('div');
  const all = h('div');
  const live = h('div');
  const filter = h('input', { type: 'search', autocomplete: 'off' });
  const span = h('select', {}, SPANS.map(([name, of]) => h('option', { value: of }, name)));
  let now = [];
  place.replaceChildren(
    h('h2', {}, 'Each second'),
    h('div', { class: 'fields' }, field('Last', span)),
    live,
    h('h2', {}, 'Each minute'),
    h('p', { class: 'quiet' }, 'A value for each of the last 60 minutes since the start of the server.'),
    plots,
    h('h2', {}, 'All metrics of the last minute'),
    h('div', { class: 'fields' }, field('Name contains', filter)),
    all);
  const list = () => all.replaceChildren(table('Metrics', [
    ['Name', (metric) => metric.name],
    ['Dimensions', (metric) => Object.entries(metric.dimensions ?? {}).map(([name, value]) => `${name}=${value}`).join(', ')],
    ['Average', (metric) => metric.values.average ?? '–', 'number'],
    ['Per second', (metric) => metric.values.rate ?? '–', 'number'],
    ['Last', (metric) => metric.values.last ?? '–', 'number'],
    ['99 %', (metric) => metric.values['99percentile'] ?? '–', 'number'],
  ], now.filter((metric) => metric.name.includes(filter.value.trim()))));
  filter.addEventListener('input', list);
  const refresh = async () => {
    await show(plots, () => drawn());
    try {
      now = (await values()).metrics.values;
      list();
    } catch (error) {
      await show(all, () => { throw error; });
    }
  };
  const timer = setInterval(refresh, EVERY_MILLIS);
  signal.addEventListener('abort', () => clearInterval(timer));
  addEventListener('crabro-theme', refresh, { signal });
  await Promise.all([refresh(), new Seconds(live, span, signal).start()]);
}

/** Plots of each second. The first answer has the history, the others what came since. */
class Seconds {
  constructor(place, span, signal) {
    Object.assign(this, { place, span, signal, times: [], curves: [], sections: [] });
  }

  async start() {
    const { signal } = this;
    this.timer = setInterval(() => this.read(), SECOND_MILLIS);
    signal.addEventListener('abort', () => clearInterval(this.timer));
    await this.read();
    this.span.addEventListener('change', () => this.update());
    addEventListener('crabro-theme', () => this.draw(), { signal });
  }

  /** One request at a time. A page in the background asks for nothing. */
  async read() {
    if (this.isReading || document.hidden) return;
    this.isReading = true;
    try {
      const [Plot, answer] = await Promise.all([uPlot(), seconds(this.times.at(-1) ?? 0)]);
      if (this.signal.aborted) return;
      this.Plot = Plot;
      this.add(answer);
    } catch (error) {
      if (this.signal.aborted) return;
      this.sections = [];
      // Without permission, there is no answer in a second either.
      if (error.status >= 400 && error.status < 500) clearInterval(this.timer);
      await show(this.place, () => { throw error; });
    } finally {
      this.isReading = false;
    }
  }

  add({ secondsMax, times, curves }) {
    const isNew = this.curves.length === 0;
    if (isNew) this.curves = curves.map((curve) => ({ ...curve, values: [] }));
    this.times = [...this.times, ...times].slice(-secondsMax);
    curves.forEach(({ values: more }, i) => { this.curves[i].values = [...this.curves[i].values, ...more].slice(-secondsMax); });
    if (this.sections.length === 0) this.draw();
    else this.update();
  }

  draw() {
    if (this.times.length === 0) {
      this.place.replaceChildren(note('The first values are there a second after the start.'));
      return;
    }
    const byPlot = grouped(this.curves);
    this.sections = [...byPlot].map(([title, of]) => {
      const said = h('p', { class: 'quiet' });
      const place = h('div', { role: 'img' });
      return { title, of, said, place, element: h('section', { 'aria-label': `${title}, each second` }, h('h3', {}, title), said, place) };
    });
    this.place.replaceChildren(h('div', { class: 'plots' }, this.sections.map(({ element }) => element)));
    requestAnimationFrame(() => {
      for (const section of this.sections) section.plot = plot(this.Plot, section.place, this.shown(section), section.of, Number(this.span.value));
      this.tell();
    });
  }

  shown({ of }) {
    const first = this.times.at(-1) - Number(this.span.value);
    const at = Math.max(0, this.times.findIndex((time) => time > first));
    return [this.times.slice(at), ...of.map((curve) => curve.values.slice(at))];
  }

  update() {
    for (const section of this.sections) {
      if (!section.plot) continue;
      const data = this.shown(section);
      section.plot.setData(data, false);
      const max = data[0].at(-1);
      const values = data.slice(1).flat().filter((value) => value !== null);
      section.plot.batch(() => {
        section.plot.setScale('x', { min: max - Number(this.span.value), max });
        section.plot.setScale('y', range(Math.min(...values, 0), Math.max(...values, 0)));
      });
    }
    this.tell();
  }

  tell() {
    for (const { title, of, said, place } of this.sections) {
      const last = of.map((curve) => `${curve.name} ${number(curve.values.at(-1) ?? '–')}`).join(', ');
      said.textContent = `${of[0].unit}; now: ${last}`;
      place.setAttribute('aria-label', `Plot of ${title}, each second. Now: ${last} ${of[0].unit}`);
    }
  }
}

async function drawn() {
  const [Plot, { times, curves }] = await Promise.all([uPlot(), metrics()]);
  if (times.length === 0) return note('The first values are there a minute after the start.');
  const sections = [...grouped(curves)].map(([title, of]) => section(Plot, title, times, of));
  const grid = h('div', { class: 'plots' }, sections.map((each) => each.element));
  // A plot needs the width of its section, which it has only in the page.
  requestAnimationFrame(() => sections.forEach((each) => each.draw()));
  return grid;
}

function grouped(curves) {
  const map = new Map();
  for (const curve of curves) map.set(curve.plot, [...(map.get(curve.plot) ?? []), curve]);
  return map;
}

function section(Plot, title, times, curves) {
  const last = curves.map((curve) => `${curve.name} ${number(curve.values.at(-1) ?? '–')}`).join(', ');
  const place = h('div', { role: 'img', 'aria-label': `Plot of ${title}, last hour. Now: ${last} ${curves[0].unit}` });
  const element = h('section', { 'aria-label': title },
    h('h3', {}, title),
    h('p', { class: 'quiet' }, `${curves[0].unit}; now: ${last}`),
    place,
    details(`Values of ${title}`, table(`${title}, ${curves[0].unit}`, [
      ['Time', (row) => new Date(row.time * 1000).toLocaleTimeString()],
      ...curves.map((curve, i) => [curve.name, (row) => row.values[i] ?? '–', 'number']),
    ], times.map((time, at) => ({ time, values: curves.map((curve) => curve.values[at]) })).reverse())));
  const draw = () => plot(Plot, place, [times, ...curves.map((curve) => curve.values)], curves, 3600);
  return { element, draw };
}

const range = (low, high) => ({ min: Math.min(0, low ?? 0), max: (high || 1) * 1.1 });

function plot(Plot, place, data, curves, span) {
  const style = getComputedStyle(place);
  // A canvas has no light-dark(), so the element says which color that is.
  const color = (name) => {
    place.style.color = `var(${name})`;
    const found = style.color;
    place.style.color = '';
    return found;
  };
  const axis = { stroke: color('--quiet'), grid: { stroke: color('--line'), width: 1 }, ticks: { stroke: color('--line') } };
  const last = data[0].at(-1);
  return new Plot({
    width: Math.max(220, place.clientWidth),
    height: 160,
    legend: { show: curves.length > 1, live: false },
    cursor: { show: false },
    scales: { x: { min: last - span, max: last }, y: { range: (_, low, high) => Object.values(range(low, high)) } },
    axes: [axis, { ...axis, size: 60, values: (_, ticks) => ticks.map((tick) => short.format(tick)) }],
    series: [{}, ...curves.map((curve, i) => ({ label: curve.name, stroke: color(`--curve-${i}`), width: 2, points: { show: data[0].length < 3 } }))],
  }, data, place);
}

const short = new Intl.NumberFormat('en', { notation: 'compact' });

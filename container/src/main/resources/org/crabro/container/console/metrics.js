import { details, field, h, note, number, show, table } from './dom.js';
import { metrics, values } from './server.js';

const EVERY_MILLIS = 30_000;

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
  const filter = h('input', { type: 'search', autocomplete: 'off' });
  let now = [];
  place.replaceChildren(
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
    await show(plots, () => drawn(signal));
    try {
      now = (await values()).metrics.values;
      list();
    } catch (error) {
      await show(all, () => { throw error; });
    }
  };
  const timer = setInterval(refresh, EVERY_MILLIS);
  signal.addEventListener('abort', () => clearInterval(timer));
  await refresh();
}

async function drawn() {
  const [Plot, { times, curves }] = await Promise.all([uPlot(), metrics()]);
  if (times.length === 0) return note('The first values are there a minute after the start.');
  const byPlot = Map.groupBy ? Map.groupBy(curves, (curve) => curve.plot) : grouped(curves);
  const sections = [...byPlot].map(([title, of]) => section(Plot, title, times, of));
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
  const style = getComputedStyle(document.documentElement);
  const color = (name) => style.getPropertyValue(name).trim();
  const last = curves.map((curve) => `${curve.name} ${number(curve.values.at(-1) ?? '–')}`).join(', ');
  const place = h('div', { role: 'img', 'aria-label': `Plot of ${title}, last hour. Now: ${last} ${curves[0].unit}` });
  const element = h('section', { 'aria-label': title },
    h('h2', {}, title),
    h('p', { class: 'quiet' }, `${curves[0].unit}; now: ${last}`),
    place,
    details(`Values of ${title}`, table(`${title}, ${curves[0].unit}`, [
      ['Time', (row) => new Date(row.time * 1000).toLocaleTimeString()],
      ...curves.map((curve, i) => [curve.name, (row) => row.values[i] ?? '–', 'number']),
    ], times.map((time, at) => ({ time, values: curves.map((curve) => curve.values[at]) })).reverse())));
  const axis = { stroke: color('--quiet'), grid: { stroke: color('--line'), width: 1 }, ticks: { stroke: color('--line') } };
  const draw = () => new Plot({
    width: Math.max(240, place.clientWidth),
    height: 160,
    legend: { show: curves.length > 1, live: false },
    cursor: { show: false },
    scales: { x: { min: times.at(-1) - 3600, max: times.at(-1) }, y: { range: (_, low, high) => [Math.min(0, low ?? 0), (high || 1) * 1.1] } },
    axes: [axis, { ...axis, size: 60, values: (_, ticks) => ticks.map((tick) => short.format(tick)) }],
    series: [{}, ...curves.map((curve, i) => ({ label: curve.name, stroke: color(`--curve-${i}`), width: 2, points: { show: times.length < 3 } }))],
  }, [times, ...curves.map((curve) => curve.values)], place);
  return { element, draw };
}

const short = new Intl.NumberFormat('en', { notation: 'compact' });

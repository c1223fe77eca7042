import { facts, h, note, number, show, table } from './dom.js';
import { metrics, services } from './server.js';

export async function open(place, { server }) {
  const active = server.application;
  const numbers = h('div');
  const running = h('div');
  place.replaceChildren(
    facts(
      ['Version', server.version],
      ['Application', active ? `${active.tenant}.${active.application}.${active.instance}` : 'none'],
      ['Generation', active ? number(active.generation) : undefined],
      ['Access', server.user ? 'by token or certificate' : 'every request has all rights'],
    ),
    h('h2', {}, 'Last minute'), numbers,
    h('h2', {}, 'Services'), running);
  if (active) {
    show(running, async () => {
      const found = await services(active);
      return table('Services of the active application', [
        ['Type', (service) => service.type],
        ['Host', (service) => service.host],
        ['Port', (service) => service.port, 'number'],
        ['Generation', (service) => service.currentGeneration, 'number'],
      ], found.services ?? []);
    });
  } else {
    running.replaceChildren(note('No application is deployed.'));
  }
  await show(numbers, async () => {
    const { times, curves } = await metrics();
    if (times.length === 0) return note('The first values are there a minute after the start.');
    return table(`Values at ${new Date(times.at(-1) * 1000).toLocaleTimeString()}`, [
      ['Metric', (curve) => `${curve.plot}, ${curve.name}`],
      ['Value', (curve) => curve.values.at(-1) ?? '–', 'number'],
      ['Unit', (curve) => curve.unit],
    ], curves);
  });
}

import { code, details, h, note, number, show, table } from './dom.js';
import { file, files, history } from './server.js';

export async function open(place, { server }) {
  const past = h('div');
  const content = h('div');
  const shownFile = h('div', { 'aria-live': 'polite' });
  place.replaceChildren(
    h('h2', {}, 'History'), past,
    h('h2', {}, server.application ? `Files of generation ${number(server.application.generation)}` : 'Files'),
    content, shownFile);
  show(past, async () => {
    const { events } = await history();
    return events.length === 0
      ? note('No application was deployed yet.')
      : table('Deployments, the latest first', [
        ['Time', (event) => new Date(event.time).toLocaleString()],
        ['Change', (event) => event.kind],
        ['Generation', (event) => event.generation, 'number'],
        ['Application', (event) => event.application],
      ], events);
  });
  if (!server.application) {
    content.replaceChildren(note('No application is deployed.'));
    return;
  }
  await show(content, async () => {
    const urls = await files(server.application);
    return h('ul', {}, urls.filter((url) => !url.endsWith('/')).map((url) => {
      const { pathname } = new URL(url);
      const name = decodeURIComponent(pathname.replace(/^.*\/content\//, ''));
      return h('li', {}, h('button', {
        type: 'button',
        onclick: () => show(shownFile, async () => [h('h3', {}, name), text(name, await file(pathname))]),
      }, name));
    }));
  });
}

function text(name, content) {
  return content.includes('\0') || content.length > 200_000
    ? details(`${name} has ${number(content.length)} characters`, code(content.slice(0, 200_000), name))
    : code(content, name);
}

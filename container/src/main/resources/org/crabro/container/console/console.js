// The frame: which page is shown, and who is signed in.

import { failure, field, h, note } from './dom.js';
import { status, token } from './server.js';

const PAGES = {
  search: ['Search', () => import('./search.js')],
  overview: ['Overview', () => import('./overview.js')],
  query: ['Query', () => import('./query.js')],
  documents: ['Documents', () => import('./documents.js')],
  schemas: ['Schemas', () => import('./schemas.js')],
  metrics: ['Metrics', () => import('./metrics.js')],
  applications: ['Applications', () => import('./applications.js')],
  logs: ['Logs', () => import('./logs.js')],
};

const main = document.querySelector('main');
let leave = () => {};
let isFirst = true;

function asked() {
  const [name, query] = location.hash.replace(/^#\//, '').split('?');
  return { name: name || 'search', parameters: new URLSearchParams(query ?? '') };
}

async function open() {
  if (location.hash === '#content') return;
  leave();
  leave = () => {};
  const { name, parameters } = asked();
  const page = PAGES[name];
  for (const link of document.querySelectorAll('nav a')) {
    if (link.hash === `#/${name}`) link.setAttribute('aria-current', 'page');
    else link.removeAttribute('aria-current');
  }
  const title = page ? page[0] : 'No such page';
  document.title = `${title} – Crabro`;
  const heading = h('h1', { tabindex: '-1' }, title);
  const place = h('div');
  main.replaceChildren(heading, place);
  // A screen reader reads the title of the new page; the first page is read from its beginning.
  if (!isFirst) heading.focus();
  isFirst = false;
  if (!page) {
    place.append(note(`The console has no page "${name}".`));
    return;
  }
  place.append(note('Loading …'));
  const controller = new AbortController();
  leave = () => controller.abort();
  try {
    const [module, server] = await Promise.all([page[1](), status()]);
    user(server);
    if (!controller.signal.aborted) await module.open(place, { server, parameters, signal: controller.signal });
  } catch (error) {
    if (!controller.signal.aborted) place.replaceChildren(failure(error));
  }
}

function user(server) {
  const place = document.getElementById('user');
  if (!server.user) {
    place.replaceChildren();
    return;
  }
  place.replaceChildren(
    h('span', {}, `${server.user.name} (${server.user.permissions.join(', ') || 'no permissions'}) `),
    token.get()
      ? h('button', { type: 'button', onclick: () => { token.clear(); open(); } }, 'Sign out')
      : h('button', { type: 'button', onclick: () => signIn('') }, 'Sign in'));
}

function signIn(reason) {
  if (document.querySelector('dialog')) return;
  const input = h('input', { type: 'password', autocomplete: 'off', required: true, id: 'token' });
  const dialog = h('dialog', { 'aria-labelledby': 'sign-in' },
    h('form', {
      method: 'dialog',
      onsubmit: (event) => {
        event.preventDefault();
        token.set(input.value.trim());
        dialog.close();
        open();
      },
    },
    h('h2', { id: 'sign-in' }, 'Sign in'),
    reason ? h('p', { class: 'error', role: 'alert' }, reason) : null,
    field('Token', input),
    h('p', { class: 'quiet' }, 'This tab keeps the token until it is closed.'),
    h('p', {}, h('button', { class: 'main' }, 'Sign in'), ' ',
      h('button', { type: 'button', onclick: () => dialog.close() }, 'Cancel'))));
  dialog.addEventListener('close', () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}

addEventListener('crabro-sign-in', (event) => signIn(event.detail));
addEventListener('hashchange', open);
document.querySelector('.skip').addEventListener('click', (event) => {
  event.preventDefault();
  main.focus();
});
open();

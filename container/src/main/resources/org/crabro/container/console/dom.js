// Elements, tables and texts. Texts are never parsed as HTML.

/** Makes an element: attributes by name, `on...` listeners, then children (nodes or texts). */
export function h(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith('on')) element.addEventListener(key.slice(2), value);
    else if (value === true) element.setAttribute(key, '');
    else if (value !== false && value !== undefined && value !== null) element.setAttribute(key, value);
  }
  element.append(...children.flat(Infinity).filter((child) => child !== undefined && child !== null));
  return element;
}

const whole = new Intl.NumberFormat('en');
const short = new Intl.NumberFormat('en', { maximumSignificantDigits: 4 });

export function number(value) {
  if (typeof value !== 'number') return String(value ?? '–');
  return Number.isInteger(value) ? whole.format(value) : short.format(value);
}

/** A table whose first row is a header. A column is [title, value of a row, 'number' or 'text']. */
export function table(caption, columns, rows) {
  return h('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': caption },
    h('table', {},
      h('caption', {}, caption),
      h('thead', {}, h('tr', {}, columns.map(([title, , kind]) =>
        h('th', { scope: 'col', class: kind === 'number' ? 'number' : null }, title)))),
      h('tbody', {}, rows.map((row) => h('tr', {}, columns.map(([, value, kind]) => {
        const cell = value(row);
        return h('td', { class: kind ?? 'text' }, kind === 'number' ? number(cell) : cell ?? '–');
      })))),
    ));
}

export function facts(...pairs) {
  return h('dl', { class: 'facts' }, pairs.filter(([, value]) => value !== undefined)
    .map(([name, value]) => [h('dt', {}, name), h('dd', {}, value)]));
}

export function json(value, label = 'JSON') {
  return code(JSON.stringify(value, null, 2), label);
}

export function code(text, label) {
  return h('pre', { tabindex: '0', role: 'region', 'aria-label': label }, text);
}

export function details(title, ...content) {
  return h('details', {}, h('summary', {}, title), content);
}

export function field(label, input, kind = null) {
  return kind === 'check' ? h('label', { class: 'check' }, input, label) : h('label', { class: kind }, label, input);
}

export function failure(error) {
  return h('p', { class: 'error', role: 'alert' }, error.message);
}

export function note(text) {
  return h('p', { class: 'quiet', role: 'status' }, text);
}

/** Replaces the content of a place by what a promise returns, or by its error. */
export async function show(place, content) {
  place.setAttribute('aria-busy', 'true');
  try {
    place.replaceChildren(...[await content()].flat());
  } catch (error) {
    if (error.name === 'AbortError') return;
    place.replaceChildren(failure(error));
  } finally {
    place.removeAttribute('aria-busy');
  }
}

export function shown(value) {
  if (value === undefined || value === null) return '–';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > 300 ? `${text.slice(0, 300)}…` : text;
}

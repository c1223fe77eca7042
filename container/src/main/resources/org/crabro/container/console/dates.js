// Fields with dates, and the slider that limits them.

import { h } from './dom.js';

const UNITS = { time: 1, date: 1, 'time-ms': 1e3, 'time-us': 1e6 };
const NAMED = /^(date|time|datetime|timestamp|day|when|(.*_)?(created|updated|modified|changed|published|sent|received|posted)(_?(at|on|date|time))?|.+_(at|on|date|time|timestamp)|.+(At|Date|Time))$/;
const DAY = 86_400;
const STEPS = [DAY, 3600, 60, 1];
const STEPS_WANTED = 40;
/** Seconds of the years that a browser can show. */
const SECONDS_MAX = 8.64e12;

/** Returns whether a field has dates: its schema says so, or its name. */
export const isDate = (field) => /^(long|int)$/.test(field.type) && field.attribute && (field.kind in UNITS || NAMED.test(field.name));

/** The field with dates that the slider limits; undefined for none. */
export function dateField(type) {
  const all = type.fields.filter(isDate);
  return all.find(({ name }) => /^(date|time|sent|created|created_at|timestamp)$/.test(name)) ?? all.find(({ kind }) => kind) ?? all[0];
}

/** How many of its units a second has. Without a kind, the largest value tells. */
export function unitOf(field, largest = 0) {
  if (field.kind in UNITS) return UNITS[field.kind];
  if (largest > 1e14) return 1e6;
  return largest > 1e11 ? 1e3 : 1;
}

/** A time in seconds as text: its day, and the time of the day if the step is shorter. */
export function text(seconds, step = 1) {
  if (!Number.isFinite(seconds) || Math.abs(seconds) > SECONDS_MAX) return String(seconds);
  const iso = new Date(seconds * 1000).toISOString();
  const [day, time] = iso.split('T');
  if (step >= DAY) return day;
  return `${day} ${time.slice(0, step >= 60 ? 5 : 8)}`;
}

/** The value of a field as text. */
export function shownDate(field, value) {
  if (typeof value !== 'number') return String(value);
  return text(value / unitOf(field, Math.abs(value)), field.kind === 'date' ? DAY : 1).replace(/ 00:00:00$|:00$/, '');
}

/** The first second of the month after one that begins at a second. */
export function nextMonth(seconds) {
  const begin = new Date(seconds * 1000);
  return Date.UTC(begin.getUTCFullYear(), begin.getUTCMonth() + 1, 1) / 1000;
}

/**
 * Two sliders for the first and the last time. `changed` gets [from, to] in seconds, `to` excluded, or null for all.
 */
export function slider(field, { lowest, highest }, chosen, changed) {
  const step = STEPS.find((each) => (highest - lowest) / each >= STEPS_WANTED) ?? 1;
  const begin = Math.floor(lowest / step) * step;
  const count = Math.max(1, Math.floor(highest / step) - begin / step);
  const place = (seconds, otherwise) => (seconds === undefined ? otherwise : Math.min(count, Math.max(0, Math.round((seconds - begin) / step))));
  const input = (label, value) => h('input', { type: 'range', min: '0', max: String(count), step: '1', value: String(value), 'aria-label': label });
  const from = input(`First ${field.name}`, place(chosen?.[0], 0));
  const to = input(`Last ${field.name}`, place(chosen === null || chosen === undefined ? undefined : chosen[1] - step, count));
  const shown = h('output', {});
  const tell = () => {
    const [first, last] = [from, to].map((each) => text(begin + Number(each.value) * step, step));
    from.setAttribute('aria-valuetext', first);
    to.setAttribute('aria-valuetext', last);
    shown.textContent = `${first} to ${last}`;
  };
  const moved = (event) => {
    if (Number(from.value) > Number(to.value)) {
      if (event.target === from) to.value = from.value;
      else from.value = to.value;
    }
    tell();
    const isAll = from.value === '0' && to.value === String(count);
    changed(isAll ? null : [begin + Number(from.value) * step, begin + (Number(to.value) + 1) * step]);
  };
  from.addEventListener('input', moved);
  to.addEventListener('input', moved);
  tell();
  return h('fieldset', { class: 'slider' }, h('legend', {}, field.name), from, to, shown);
}

// Documents for the tests of searches: the same ones at each call. Run as a program, it prints them as lines to feed.

import { fileURLToPath } from 'node:url';

export const MAILS = 10_000;
/** A Monday. */
export const BEGIN = Date.UTC(2024, 0, 1) / 1000;
const EVERY_SECONDS = 3600;
const WORDS = ('harbour lantern gravel timber meadow copper window bridge winter market paper engine garden river letter mountain '
  + 'kitchen station morning island button candle forest ladder mirror needle orange pepper quarry ribbon saddle tunnel '
  + 'umbrella valley wagon yellow anchor barrel cotton dragon').split(' ');
const PEOPLE = ['ada@example.com', 'bo@example.com', 'cleo@example.com', 'dan@example.com', 'eva@example.com', 'finn@example.com'];
const LABELS = ['home', 'work', 'travel', 'money'];

/** The mail with a number. Each 50th is about sailing, each 125th about a Café. */
export function mail(i) {
  const word = (n) => WORDS[(i * 31 + n * n * 7 + n * 13 + Math.floor(i / 40)) % WORDS.length];
  const text = Array.from({ length: 60 }, (_, n) => word(n)).join(' ');
  return {
    subject: i % 50 === 0 ? `Sailing to the ${word(1)} ${i}` : `The ${word(1)} and the ${word(2)} ${i}`,
    body: i % 125 === 0 ? `${text}. We met in the Café Zephyr. ${text}` : `${text}.`,
    sender: PEOPLE[i % PEOPLE.length],
    to: i % 3 === 0 ? ['me@example.com', PEOPLE[(i + 1) % PEOPLE.length]] : ['me@example.com'],
    labels: i % 6 === 5 ? [] : i % 7 === 0 ? [LABELS[i % 4], LABELS[(i + 1) % 4]] : [LABELS[i % 4]],
    message_id: `<${i}@example.com>`,
    answered: i % 4 === 0,
    date: BEGIN + i * EVERY_SECONDS,
  };
}

export const mails = () => Array.from({ length: MAILS }, (_, i) => mail(i));

function* lines() {
  for (let i = 0; i < MAILS; i++) yield { put: `id:mail:mail:g=ann:${i}`, fields: mail(i) };
  // Groups of different sizes: ben0 has 1, ben11 has 12.
  for (let group = 0; group < 12; group++) {
    for (let i = 0; i <= group; i++) yield { put: `id:mail:mail:g=ben${group}:${i}`, fields: mail(i) };
  }
  for (let i = 0; i < 30; i++) {
    yield { put: `id:memo:memo:g=desk:${i}`, fields: { title: `Memo ${i} about sailing`, text: `Buy gravel ${i}`, created_at: (BEGIN + i * 60) * 1000 + 1 } };
  }
  for (let i = 0; i < 20; i++) {
    yield { put: `id:page:page::${i}`, fields: { title: `Page ${i} of the sailing school`, kind: i % 2 === 0 ? 'even' : 'odd' } };
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const line of lines()) process.stdout.write(`${JSON.stringify(line)}\n`);
}

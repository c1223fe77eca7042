// Words of a person: the condition that finds them, and where they are in a text.

/** Whether the server corrects typing errors and completes the last word itself. */
export const SERVER = true;

/** The most characters of a text in which words are marked. Longer texts are shown without marks beyond. */
export const MARKED_MAX = 100_000;
const FIELDS_MAX = 8;
const MARKS = { open: '\uE000', close: '\uE001', gap: '\uE002' };

/** Parameters by which the server marks words in fields whose schema asks for it. */
export const MARKING = {
  'presentation.bolding.tags': `${MARKS.open},${MARKS.close}`,
  'presentation.bolding.separator': MARKS.gap,
};

/** A string of YQL. */
export const literal = (text) => JSON.stringify(text);

/** Letters that the server folds to two letters. It drops other accents. */
const TWO = { ä: 'ae', ö: 'oe', ü: 'ue', å: 'aa', ß: 'ss', æ: 'ae', ø: 'oe', œ: 'oe', þ: 'th' };

const fold = (text) => text.toLowerCase().normalize('NFC').replace(/[äöüåßæøœþ]/g, (letter) => TWO[letter])
  .normalize('NFD').replace(/\p{M}/gu, '');

/** The number of insertions, deletions, replacements and swaps between two words, or more than `most`. */
export function distance(a, b, most) {
  if (Math.abs(a.length - b.length) > most) return most + 1;
  let beforeLast = [];
  let last = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      row[j] = Math.min(row[j - 1] + 1, last[j] + 1, last[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) row[j] = Math.min(row[j], beforeLast[j - 2] + 1);
    }
    [beforeLast, last] = [last, row];
  }
  return last[b.length];
}

/** The name that is nearest to another one, if it is near enough to be meant. */
export function nearest(name, names) {
  const most = name.length < 5 ? 1 : 2;
  return names.map((each) => [distance(fold(name), fold(each), most), each])
    .filter(([apart]) => apart <= most)
    .sort(([a], [b]) => a - b)[0]?.[1];
}

/** Splits what is typed: the words that are complete, and the one that may be a beginning. */
function split(typed) {
  const last = /(?:^|\s)([\p{L}\p{N}\p{M}]+)$/u.exec(typed);
  const isQuoted = (typed.match(/"/g) ?? []).length % 2 === 1;
  if (!last || isQuoted) return { complete: typed.trim(), beginning: '' };
  return { complete: typed.slice(0, last.index).trim(), beginning: last[1] };
}

/** The fields of a type in which words are searched: the fieldset default, else its texts. */
function defaultFields(type) {
  if (type.fieldsets.includes('default')) return [];
  return type.fields.filter(({ type: of, searchable }) => searchable && /^(array<)?string>?$/.test(of))
    .slice(0, FIELDS_MAX)
    .map(({ name }) => name);
}

const any = (conditions) => (conditions.length === 1 ? conditions[0] : `(${conditions.join(' or ')})`);

/** The condition in YQL for what is typed; `true` for nothing. */
export function condition(type, typed) {
  if (!typed.trim()) return 'true';
  const fields = defaultFields(type);
  const places = fields.length > 0 ? fields : [null];
  const input = (text, more = '') => any(places.map((field) =>
    `({grammar: "all"${field ? `, defaultIndex: ${literal(field)}` : ''}${more}}userInput(${literal(text)}))`));
  if (SERVER) return input(typed.trim(), `, typos: true${/\s$/.test(typed) ? '' : ', beginning: true'}`);
  const { complete, beginning } = split(typed);
  return [
    complete && input(complete),
    beginning && any(places.map((field) => `${field ?? 'default'} contains ({prefix: true}${literal(beginning)})`)),
  ].filter(Boolean).join(' and ');
}

/** The words that are marked in texts. Excluded ones and names of fields are none. */
export function wanted(typed) {
  const text = typed.replace(/(^|\s)-("[^"]*"?|\S+)/g, ' ').replace(/(^|\s)[\w.]+:/g, ' ');
  const words = (text.match(/[\p{L}\p{N}\p{M}]+/gu) ?? []).map((word) => ({ word: fold(word), isBeginning: false }));
  if (words.length > 0 && /[\p{L}\p{N}\p{M}*]$/u.test(text)) words.at(-1).isBeginning = true;
  return words;
}

function matches(token, { word, isBeginning }) {
  if (token === word || (isBeginning && token.startsWith(word))) return true;
  if (!SERVER) return false;
  const most = word.length >= 9 ? 2 : Number(word.length >= 5);
  return most > 0 && distance(isBeginning ? token.slice(0, word.length) : token, word, most) <= most;
}

/** Splits a text at the words that match: [{ text, isMatch }]. */
export function pieces(text, words) {
  if (text.includes(MARKS.open) || text.includes(MARKS.gap)) return ofServer(text);
  const found = [];
  let end = 0;
  if (words.length > 0) {
    for (const match of text.slice(0, MARKED_MAX).matchAll(/[\p{L}\p{N}\p{M}]+/gu)) {
      const token = fold(match[0]);
      if (words.some((word) => matches(token, word))) {
        if (match.index > end) found.push({ text: text.slice(end, match.index), isMatch: false });
        found.push({ text: match[0], isMatch: true });
        end = match.index + match[0].length;
      }
    }
  }
  if (end < text.length) found.push({ text: text.slice(end), isMatch: false });
  return found;
}

function ofServer(text) {
  return text.replaceAll(MARKS.gap, ' … ').split(MARKS.open).flatMap((part, i) => {
    if (i === 0) return [{ text: part, isMatch: false }];
    const [inside, ...outside] = part.split(MARKS.close);
    return [{ text: inside, isMatch: true }, { text: outside.join(''), isMatch: false }];
  }).filter((piece) => piece.text);
}

/** The part of a text around its first match, at most about `most` characters: [{ text, isMatch }]. */
export function snippet(text, words, most) {
  const all = pieces(text, words);
  const first = all.findIndex((piece) => piece.isMatch);
  const before = all.slice(0, Math.max(first, 0)).reduce((sum, piece) => sum + piece.text.length, 0);
  let skip = before < most / 3 ? 0 : before - Math.floor(most / 4);
  let left = most;
  const shown = [];
  for (const piece of all) {
    if (left <= 0) break;
    let part = piece.text;
    if (skip > 0) {
      const cut = Math.min(skip, part.length);
      skip -= cut;
      part = part.slice(cut);
      if (!part) continue;
      // Begin at a word.
      if (shown.length === 0) part = `…${piece.isMatch ? '' : ' '}${piece.isMatch ? part : part.replace(/^\S*\s/, '')}`;
    }
    if (part.length > left) {
      part = `${part.slice(0, left).replace(/\s\S*$/, '')} …`;
      left = 0;
    }
    left -= part.length;
    shown.push({ text: part, isMatch: piece.isMatch });
  }
  return shown;
}

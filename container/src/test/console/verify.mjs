// Opens every page of the console in a headless browser, with a real server behind it.
// bin/verify-console starts the servers and sets the variables of the environment.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { chromium } from 'playwright-core';
import { BEGIN, MAILS, mails } from './mails.mjs';

const { CONSOLE_URL, GUARDED_URL, EMPTY_URL, HOSTILE_URL, MAILS_URL, CHROMIUM, TOKEN, ANNA_TOKEN, SHOTS } = process.env;
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const TRANSFER_MAX = 400_000;
const PAINT_MAX_MILLIS = 500;
const SHOT_MAX = 100_000;
/** The aim is 50 ms on an idle machine. */
const REPAINT_MAX_MILLIS = 150;
/** The name of a parameter that nobody has to know. */
const UNSAID = ['streaming', 'groupname'].join('.');

let browser;

before(async () => {
  browser = await chromium.launch({
    executablePath: CHROMIUM,
    args: ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
  });
});

after(() => browser?.close());

/** A page that fails the test at a violated policy, an error of a script, or a request elsewhere. */
async function visit(url, hash, work, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1000, height: 640 }, ...options });
  context.setDefaultTimeout(10_000);
  const page = await context.newPage();
  const problems = [];
  page.on('pageerror', (error) => problems.push(`error: ${error.message}`));
  page.on('console', (line) => {
    // A browser reports each answer that is no success, also those that a page shows.
    if (line.type() === 'error' && !line.text().includes('Failed to load resource')) problems.push(line.text());
  });
  page.on('request', (request) => {
    if (new URL(request.url()).origin !== new URL(url).origin) problems.push(`a request to ${request.url()}`);
  });
  try {
    await page.goto(`${url}/console/${hash}`);
    await work(page);
    assert.deepEqual(problems, []);
  } finally {
    await context.close();
  }
}

/** Rules of axe that fail, of which none may be serious. The policy forbids scripts of others, so axe runs in the tool's world. */
async function axe(page, name) {
  const session = await page.context().newCDPSession(page);
  const { frameTree } = await session.send('Page.getFrameTree');
  const { executionContextId } = await session.send('Page.createIsolatedWorld', { frameId: frameTree.frame.id });
  await session.send('Runtime.evaluate', { expression: AXE, contextId: executionContextId });
  const { result, exceptionDetails } = await session.send('Runtime.evaluate', {
    expression: 'axe.run().then((found) => JSON.stringify(found.violations.map(({ id, impact, nodes }) => ({ id, impact, at: nodes.map((node) => node.html).slice(0, 3) }))))',
    contextId: executionContextId,
    awaitPromise: true,
    returnByValue: true,
  });
  assert.equal(exceptionDetails, undefined);
  const violations = JSON.parse(result.value);
  assert.deepEqual(violations.filter(({ impact }) => impact === 'serious' || impact === 'critical'), [], `axe on ${name}`);
  if (violations.length > 0) console.log(`axe on ${name}: ${JSON.stringify(violations)}`);
}

async function shot(page, name, at = 'h1', quality = 45) {
  if (!SHOTS) return;
  mkdirSync(SHOTS, { recursive: true });
  await page.locator(at).evaluate((element) => (element.tagName === 'H1' ? scrollTo(0, 0) : element.scrollIntoView()));
  const path = join(SHOTS, `${name}.jpg`);
  await page.screenshot({ path, type: 'jpeg', quality });
  assert.ok(statSync(path).size < SHOT_MAX, `${path} has ${statSync(path).size} bytes`);
}

const seen = (page, text) => page.getByText(text, { exact: false }).filter({ visible: true }).first().waitFor();

const PAGES = {
  search: async (page) => {
    await page.getByRole('search').getByLabel('Group').selectOption('anna');
    await page.locator('#words').fill('water tom');
    await seen(page, '100 documents in anna');
    await page.locator('mark', { hasText: 'tomatoes' }).first().waitFor();
    await page.locator('.hits a').first().click();
    await page.getByRole('region', { name: 'Document', exact: true }).getByText('id:home:note:g=anna:').waitFor();
  },
  overview: async (page) => {
    await seen(page, 'default.default.default');
    await page.getByRole('table', { name: 'Services of the active application' }).waitFor();
  },
  query: async (page) => {
    await page.getByLabel('YQL').fill('select documentid, text, time from note where text contains "tomatoes" and time > 10');
    await page.getByLabel('Group').fill('anna');
    await page.getByLabel('Rank profile').fill('words');
    await page.getByLabel('Explain').check();
    await page.getByRole('button', { name: 'Run' }).click();
    await page.getByRole('table', { name: '10 hits' }).waitFor();
    await seen(page, '100 % of 100 documents');
    await seen(page, 'id:home:note:g=anna:');
  },
  documents: async (page) => {
    await page.getByLabel('Selection').fill('note.time < 30');
    await page.getByRole('button', { name: 'Visit' }).click();
    await page.getByRole('table', { name: '20 documents, page 1' }).waitFor();
    await page.getByRole('button', { name: 'More documents' }).click();
    await page.getByRole('table', { name: '20 documents, page 2' }).waitFor();
  },
  schemas: async (page) => {
    await page.getByRole('table', { name: 'Fields of note' }).waitFor();
    await page.getByText('Rank profiles of note (').click();
    await seen(page, 'query(here): tensor<float>(x[2])');
  },
  metrics: async (page) => {
    await page.getByRole('img', { name: /Plot of Queries, last hour/ }).waitFor();
    await page.locator('canvas').first().waitFor();
    await page.getByLabel('Name contains').fill('query_latency');
    await page.getByRole('cell', { name: 'query_latency', exact: true }).first().waitFor();
  },
  applications: async (page) => {
    await page.getByRole('table', { name: 'Deployments, the latest first' }).waitFor();
    await page.getByRole('button', { name: 'schemas/note.sd' }).click();
    await seen(page, 'rank-profile words');
  },
  logs: async (page) => {
    await page.getByRole('table', { name: /lines, the latest first/ }).waitFor();
    await page.getByLabel('Contains').fill('no line contains this');
    await seen(page, 'No lines.');
    await page.getByLabel('Contains').fill('');
    await page.getByRole('table', { name: /lines, the latest first/ }).waitFor();
  },
};

const noSideways = (page) => page.evaluate(() => document.documentElement.scrollWidth <= innerWidth);

for (const scheme of ['light', 'dark']) {
  for (const width of [320, 1280]) {
    for (const [name, work] of Object.entries(PAGES)) {
      test(`${name} shows real data, ${scheme}, ${width} pixels wide`, () => visit(CONSOLE_URL, `#/${name}`, async (page) => {
        await work(page);
        await axe(page, `${name}, ${scheme}, ${width}`);
        assert.ok(await noSideways(page), 'no horizontal scroll bar');
        assert.ok(!(await page.locator('body').innerText()).includes(UNSAID));
      }, { colorScheme: scheme, viewport: { width, height: 720 } }));
    }
  }
}

for (const [name, work] of Object.entries(SHOTS ? PAGES : {})) {
  test(`a picture of ${name}`, () => visit(CONSOLE_URL, `#/${name}`, async (page) => {
    await work(page);
    if (name !== 'search') await shot(page, name);
  }, { colorScheme: name === 'metrics' ? 'dark' : 'light' }));
}

test('a document, its groups and a hit are linked', () => visit(CONSOLE_URL, '#/documents?type=note', async (page) => {
  await page.getByLabel('Namespace').fill('home');
  await page.getByRole('button', { name: 'List groups' }).click();
  await page.getByRole('table', { name: '2 groups' }).waitFor();
  await page.getByLabel('Group', { exact: true }).fill('bert');
  await page.getByLabel('Documents per page').fill('200');
  await page.getByRole('button', { name: 'Visit' }).click();
  await page.getByRole('link', { name: 'id:home:note:g=bert:1', exact: true }).click();
  await page.getByRole('heading', { name: 'id:home:note:g=bert:1' }).waitFor();
}));

test('a plan is drawn', async (context) => {
  const asked = await fetch(`${CONSOLE_URL}/console/api/search`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ yql: 'select * from note where true', 'streaming.groupname': 'anna', 'trace.explain': true }),
  });
  if (!(await asked.json()).trace?.plan) {
    context.skip('this server has no trace.explain');
    return;
  }
  await visit(CONSOLE_URL, '#/query', async (page) => {
    await PAGES.query(page);
    await page.getByRole('table', { name: 'Phases of the container' }).waitFor();
    await seen(page, 'Conditions');
    await axe(page, 'a plan');
    await shot(page, 'plan', '#plan');
  });
});

const ERRORS = [
  ['a wrong query', '#/query', async (page) => {
    await page.getByLabel('YQL').fill('select * from note were true');
    await page.getByRole('button', { name: 'Run' }).click();
  }, "expected the end of the statement, got 'were'"],
  ['wrong parameters', '#/query', async (page) => {
    await page.getByText('Other parameters').click();
    await page.getByLabel('JSON object').fill('{');
    await page.getByRole('button', { name: 'Run' }).click();
  }, 'Other parameters: expected a JSON object.'],
  ['a wrong id', '#/documents', async (page) => {
    await page.getByLabel('Id').fill('note 1');
    await page.getByRole('button', { name: 'Read' }).click();
  }, 'Expected an id such as'],
  ['a missing document', '#/documents?id=id%3Ahome%3Anote%3Ag%3Danna%3Anone', async () => {}, 'Status 404'],
  ['a wrong selection', '#/documents', async (page) => {
    await page.getByLabel('Selection').fill('note.');
    await page.getByRole('button', { name: 'Visit' }).click();
  }, 'selection'],
  ['a selection that would select other types', '#/documents?type=note', async (page) => {
    await page.getByLabel('Selection').fill('true) or (true');
    await page.getByRole('button', { name: 'Visit' }).click();
  }, 'closes each parenthesis'],
  ['groups without a type', '#/documents', async (page) => page.getByRole('button', { name: 'List groups' }).click(),
    'Groups are listed for a namespace and a type.'],
];

for (const [name, hash, work, message] of ERRORS) {
  test(`${name} is told`, () => visit(CONSOLE_URL, hash, async (page) => {
    await work(page);
    const alert = page.getByRole('alert').first();
    await alert.waitFor();
    assert.match(await alert.textContent(), new RegExp(message, 'i'));
    await axe(page, name);
  }));
}

test('an unknown page is told', () => visit(CONSOLE_URL, '#/nothing', (page) => seen(page, 'The console has no page "nothing".')));

test('a server that stops is told', () => visit(CONSOLE_URL, '#/overview', async (page) => {
  await PAGES.overview(page);
  await page.route('**/console/api/**', (route) => route.abort());
  await page.getByRole('link', { name: 'Schemas' }).click();
  await seen(page, 'The server does not answer. Is it running?');
}));

test('pages of a server without an application say so', async () => {
  for (const [name, text] of [['', 'No application is deployed.'], ['overview', 'No application is deployed.'], ['schemas', 'no application is deployed'], ['query', 'no application is deployed'],
    ['documents', 'no application is deployed'], ['applications', 'No application was deployed yet.'], ['logs', 'none is deployed']]) {
    await visit(EMPTY_URL, `#/${name}`, async (page) => {
      await seen(page, text);
      await axe(page, `${name} without an application`);
    });
  }
});

const MARKUP = '<img src=x onerror="hit()"><script>hit()</script><b id=markup>';
const SETTLED = () => !document.querySelector('[aria-busy]');

/** Appends markup to every text of an answer, and to the names of fields, dimensions and values. */
function hostile(value, ofNames = false) {
  if (typeof value === 'string') return /^[\d-]+T[\d:.]+Z$|^https?:/.test(value) ? value : value + MARKUP;
  if (Array.isArray(value)) return value.map((each) => hostile(each));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) =>
    [ofNames ? key + MARKUP : key, hostile(each, key === 'fields' || key === 'dimensions')]));
}

/** Fails if a text of the server became an element, or ran. */
async function noMarkup(page) {
  await page.waitForFunction(SETTLED);
  assert.equal(await page.locator('main img, main script, main iframe, #markup, [onerror], [onclick]').count(), 0);
  assert.equal(await page.evaluate(() => window.wasHit), undefined);
}

const HOSTILE_PAGES = {
  ...Object.fromEntries(Object.keys(PAGES).map((name) => [name, null])),
  query: PAGES.query,
  documents: (page) => page.getByRole('button', { name: 'Visit' }).click(),
};

for (const [name, work] of Object.entries(HOSTILE_PAGES)) {
  test(`no text of an answer is markup on the page ${name}`, () => visit(CONSOLE_URL, '#/nothing', async (page) => {
    await page.evaluate(() => { window.hit = () => { window.wasHit = true; }; });
    await page.route(/\/(console\/api|application\/v2|state\/v1|metrics)\//, async (route) => {
      // The names of clusters and types are part of the requests of this page.
      if (['search', 'documents'].includes(name) && route.request().url().endsWith('/schemas')) return route.continue();
      let response;
      let text;
      try {
        response = await route.fetch();
        text = await response.text();
      } catch (error) {
        // The page asks for metrics again and again, also while it closes.
        if (page.isClosed() || /disposed|closed/.test(error.message)) return undefined;
        throw error;
      }
      let body;
      try {
        body = JSON.stringify(hostile(JSON.parse(text)));
      } catch {
        body = text + MARKUP;
      }
      return route.fulfill({ response, body });
    });
    await page.evaluate((hash) => { location.hash = hash; }, `#/${name}`);
    if (work) await work(page);
    await seen(page, '<img src=x onerror=');
    await noMarkup(page);
  }));
}

test('markup in documents, groups and log lines stays text', () => visit(HOSTILE_URL, '#/documents', async (page) => {
  await page.evaluate(() => { window.hit = () => { window.wasHit = true; }; });
  await page.getByLabel('Id').fill('id:home:note:g=<img src=x onerror=hit()>:<script>hit()</script>');
  await page.getByRole('button', { name: 'Read' }).click();
  await page.getByRole('heading', { name: '<script>hit()</script>' }).waitFor();
  await noMarkup(page);
  await page.evaluate(() => { location.hash = '#/logs'; });
  await page.getByRole('table', { name: /lines, the latest first/ }).waitFor();
  await noMarkup(page);
}));

test('a token is asked for, kept for the tab, and limits what is shown', () => visit(GUARDED_URL, '#/documents', async (page) => {
  const dialog = page.getByRole('dialog', { name: 'Sign in' });
  await dialog.waitFor();
  await axe(page, 'the dialog');
  await dialog.getByLabel('Token').fill('wrong');
  await dialog.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('alert').filter({ hasText: 'the token is unknown' }).first().waitFor();
  await dialog.getByLabel('Token').fill(ANNA_TOKEN);
  await dialog.getByRole('button', { name: 'Sign in' }).click();
  await seen(page, 'anna (read)');
  await page.getByLabel('Id').fill('id:home:note:g=bert:1');
  await page.getByRole('button', { name: 'Read' }).click();
  await seen(page, "'anna' may not touch group 'bert'");
  await page.getByLabel('Id').fill('id:home:note:g=anna:1');
  await page.getByRole('button', { name: 'Read' }).click();
  await page.getByRole('heading', { name: 'id:home:note:g=anna:1' }).waitFor();
  await page.getByRole('link', { name: 'Applications' }).click();
  await seen(page, "'anna' lacks permission");
  await page.reload();
  await seen(page, 'anna (read)');
  await page.getByRole('button', { name: 'Sign out' }).click();
  await dialog.waitFor();
  await dialog.getByLabel('Token').fill(TOKEN);
  await dialog.getByRole('button', { name: 'Sign in' }).click();
  await seen(page, 'operator (admin, deploy, read, write)');
}));

test('the keyboard reaches everything', () => visit(CONSOLE_URL, '#/schemas', async (page) => {
  await page.getByRole('table', { name: 'Fields of note' }).waitFor();
  const focused = () => page.evaluate(() => document.activeElement.textContent);
  await page.keyboard.press('Tab');
  assert.equal(await focused(), 'Skip to content');
  await page.keyboard.press('Tab');
  assert.equal(await focused(), 'Search');
  await page.keyboard.press('Tab');
  assert.equal(await focused(), 'Overview');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Query', exact: true }).waitFor();
  assert.equal(await focused(), 'Query');
  await page.getByLabel('YQL').waitFor();
  await page.keyboard.press('Tab');
  assert.equal(await page.evaluate(() => document.activeElement.tagName), 'TEXTAREA');
}));

const ALL = mails();
const count = (is) => new Intl.NumberFormat('en').format(ALL.filter(is).length);
const inGroup = '#/search?type=mail&group=ann';
const found = (page, text) => page.locator('#found').filter({ hasText: text }).waitFor();
const words = (page) => page.locator('#words');
const facet = (page, name) => page.getByRole('group', { name, exact: true });
/** The values of a facet, with their counts. */
const values = (page, name) => facet(page, name).locator('li').evaluateAll((items) => items.map((item) =>
  `${item.querySelector('.value').textContent} ${item.querySelector('.count').textContent}`));
/** Waits until an expression has a value: facets are counted after the hits are shown. */
async function becomes(read, expected) {
  let last;
  for (let i = 0; i < 100; i++) {
    last = await read();
    if (JSON.stringify(last) === JSON.stringify(expected)) return;
    await new Promise((done) => { setTimeout(done, 50); });
  }
  assert.deepEqual(last, expected);
}

test('a search goes on as a word is typed', () => visit(MAILS_URL, inGroup, async (page) => {
  await found(page, `${count(() => true)} documents in ann`);
  await words(page).pressSequentially('sail');
  await found(page, `${count(({ subject }) => /sail/i.test(subject))} documents in ann`);
  await page.locator('.hits mark', { hasText: 'Sailing' }).first().waitFor();
  await words(page).pressSequentially('ing har');
  const both = ({ subject, body }) => /sailing/i.test(subject) && /\bhar/i.test(subject + body);
  await found(page, `${count(both)} documents in ann`);
  await words(page).fill('"the harbour" -lantern ');
  await found(page, `${count(({ subject, body }) => /the harbour/i.test(subject) && !/lantern/i.test(subject + body))} documents in ann`);
  assert.equal(await page.locator('.hits mark', { hasText: /lantern/i }).count(), 0);
  await words(page).fill('cafe zeph');
  await found(page, `${count(({ body }) => /Café Zephyr/.test(body))} documents in ann`);
  await page.locator('.hits mark', { hasText: 'Café' }).first().waitFor();
  await page.reload();
  await found(page, `${count(({ body }) => /Café Zephyr/.test(body))} documents in ann`);
  assert.equal(await words(page).inputValue(), 'cafe zeph');
}));

test('facets count values, and restrict hits', () => visit(MAILS_URL, `${inGroup}&q=sailing`, async (page) => {
  const sailing = ALL.filter(({ subject }) => /sailing/i.test(subject));
  const counts = (all, of) => [...new Set(all.flatMap(of))].map((value) => [value, all.filter((each) => [of(each)].flat().includes(value)).length]);
  await facet(page, 'labels').waitFor();
  assert.deepEqual((await values(page, 'labels')).sort(), counts(sailing, ({ labels }) => labels).map((each) => each.join(' ')).sort());
  assert.deepEqual((await values(page, 'sender')).sort(), counts(sailing, ({ sender }) => sender).map((each) => each.join(' ')).sort());
  assert.deepEqual((await values(page, 'answered')).sort(), counts(sailing, ({ answered }) => answered).map((each) => each.join(' ')).sort());
  assert.equal(await facet(page, 'message_id').count(), 0, 'a column whose values are all different is no facet');
  const [[month, first]] = counts(sailing, ({ date }) => new Date(date * 1000).toISOString().slice(0, 7)).sort().reverse();
  assert.equal((await values(page, 'date by month'))[0], `${month} ${first}`);

  const [[label]] = counts(sailing, ({ labels }) => labels);
  const box = facet(page, 'labels').getByLabel(label);
  await box.focus();
  await page.keyboard.press('Space');
  const left = sailing.filter(({ labels }) => labels.includes(label));
  await found(page, `${left.length} documents in ann`);
  await becomes(async () => (await values(page, 'sender')).sort(), counts(left, ({ sender }) => sender).map((each) => each.join(' ')).sort());
  // Counts of the same facet are those of a further choice.
  assert.deepEqual((await values(page, 'labels')).sort(), counts(sailing, ({ labels }) => labels).map((each) => each.join(' ')).sort());
  assert.equal(await page.evaluate(() => document.activeElement.type), 'checkbox', 'the focus stays at the value');
  await facet(page, 'date by month').getByLabel(month).check();
  await found(page, `${left.filter(({ date }) => new Date(date * 1000).toISOString().startsWith(month)).length} document`);
  await page.reload();
  await facet(page, 'labels').waitFor();
  assert.ok(await facet(page, 'labels').getByLabel(label).isChecked());
}));

test('a slider limits dates by the keyboard', () => visit(MAILS_URL, inGroup, async (page) => {
  const day = 86_400;
  const from = page.getByRole('slider', { name: 'First date' });
  const to = page.getByRole('slider', { name: 'Last date' });
  await from.waitFor();
  assert.equal(await from.getAttribute('aria-valuetext'), '2024-01-01');
  await from.focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  assert.equal(await from.getAttribute('aria-valuetext'), '2024-01-03');
  await found(page, count(({ date }) => date >= BEGIN + 2 * day));
  await to.focus();
  await page.keyboard.press('Home');
  // The last day is never before the first.
  assert.equal(await from.getAttribute('aria-valuetext'), '2024-01-01');
  await found(page, count(({ date }) => date < BEGIN + day));
  await page.keyboard.press('End');
  await found(page, count(() => true));
}));

test('the document is beside its hit, and the keyboard reaches both', () => visit(MAILS_URL, inGroup, async (page) => {
  const focused = () => page.evaluate(() => document.activeElement.textContent);
  await found(page, 'documents');
  assert.equal(await page.evaluate(() => document.activeElement.id), 'words', 'the field has the focus');
  await page.keyboard.type('sailing');
  await found(page, '200 documents');
  await page.keyboard.press('ArrowDown');
  const title = await focused();
  assert.match(title, /^Sailing to/);
  await page.keyboard.press('ArrowDown');
  assert.notEqual(await focused(), title);
  await page.keyboard.press('Home');
  assert.equal(await focused(), title);
  const outline = await page.evaluate(() => getComputedStyle(document.activeElement).outlineStyle);
  assert.notEqual(outline, 'none', 'the focus is visible');
  await page.keyboard.press('Enter');
  const beside = page.getByRole('region', { name: 'Document', exact: true });
  await beside.getByText('message_id').waitFor();
  await beside.locator('mark', { hasText: 'Sailing' }).first().waitFor();
  const [hit, shown] = await Promise.all([page.locator('.hits').boundingBox(), beside.boundingBox()]);
  assert.ok(shown.x >= hit.x + hit.width - 1, 'beside');
  await axe(page, 'a document beside its hit');
  await shot(page, 'search', 'h1', 30);
  await page.keyboard.press('Escape');
  assert.ok(await beside.isHidden());
  await page.keyboard.press('Escape');
  assert.equal(await page.evaluate(() => document.activeElement.id), 'words');
  await page.keyboard.press('Escape');
  assert.equal(await words(page).inputValue(), '');
  await page.locator('h1').focus();
  await page.keyboard.press('/');
  assert.equal(await page.evaluate(() => document.activeElement.id), 'words');
}, { viewport: { width: 1280, height: 720 } }));

test('in a narrow window the focus goes to the document and back', () => visit(MAILS_URL, `${inGroup}&q=sailing`, async (page) => {
  const link = page.locator('.hits a').first();
  await link.focus();
  await page.keyboard.press('Enter');
  await page.getByRole('region', { name: 'Document', exact: true }).getByText('message_id').waitFor();
  assert.equal(await page.evaluate(() => document.activeElement.tagName), 'H2');
  await axe(page, 'a document below its hit');
  assert.ok(await noSideways(page));
  await page.keyboard.press('Escape');
  assert.equal(await page.evaluate(() => document.activeElement.getAttribute('href')), await link.getAttribute('href'));
}, { viewport: { width: 320, height: 640 }, colorScheme: 'dark' }));

test('one group is used, ten of many are offered, and an unknown one is told', () => visit(MAILS_URL, '#/search?type=memo', async (page) => {
  await found(page, '30 documents in desk');
  assert.equal(await page.getByRole('search').getByLabel('Group').count(), 0);
  await page.getByRole('search').getByLabel('Type').selectOption('mail');
  await found(page, 'Choose one of 13 groups.');
  assert.equal(await page.locator('#groups option').count(), 10);
  await page.getByRole('search').getByLabel('Group').fill('anm');
  await page.keyboard.press('Enter');
  await seen(page, 'No document is in the group "anm". Did you mean "ann"?');
  assert.ok(!(await page.locator('body').innerText()).includes(UNSAID));
  // A group that is not offered exists.
  await page.getByRole('search').getByLabel('Group').fill('ben0');
  await page.keyboard.press('Enter');
  await found(page, '1 document in ben0');
  await page.getByRole('search').getByLabel('Type').selectOption('page');
  await found(page, '20 documents,');
  await page.getByRole('search').getByLabel('Type').selectOption('');
  await page.locator('.found').getByRole('button', { name: 'ann (10,000)' }).click();
  await words(page).fill('sailing');
  await found(page, '200 documents in ann');
  await page.locator('.found').getByRole('button', { name: 'memo (0)' }).click();
  await found(page, '30 documents in desk');
  await page.getByRole('search').getByLabel('Type').selectOption('page');
  await found(page, '20 documents,');
  await becomes(() => values(page, 'kind'), ['even 10', 'odd 10']);
}));

test('a type without a fieldset, with times in milliseconds and marks of the server', () => visit(MAILS_URL, '#/search?type=memo&q=sailing+memo+1', async (page) => {
  await found(page, '11 documents in desk');
  await page.locator('.hits mark', { hasText: 'sailing' }).first().waitFor();
  await seen(page, '2024-01-01 00:19');
  await page.getByRole('slider', { name: 'First created_at' }).focus();
  await page.keyboard.press('End');
  await found(page, '0 documents');
}));

test('documents are counted by type and group', () => visit(MAILS_URL, '#/search', async (page) => {
  const rows = page.getByRole('table', { name: 'Documents by type and group' }).locator('tbody tr');
  await rows.first().waitFor();
  const texts = await rows.evaluateAll((all) => all.map((row) => [...row.cells].slice(0, 3).map((cell) => cell.textContent).join(' ')));
  assert.deepEqual(texts.slice(0, 2), [`mail ${new Intl.NumberFormat('en').format(MAILS + 78)} 13`, 'memo 30 1']);
  await rows.first().getByRole('button', { name: 'ben11 (12)' }).click();
  await found(page, '12 documents in ben11');
}));

test('a search is copied as YQL and as curl', () => visit(MAILS_URL, inGroup, async (page) => {
  await words(page).fill('sailing');
  await found(page, '200 documents');
  await page.getByText('This search for other programs').click();
  await page.getByRole('button', { name: 'Copy YQL' }).click();
  await page.getByText('Copied.').first().waitFor();
  const yql = await page.evaluate(() => navigator.clipboard.readText());
  assert.match(yql, /^select \* from mail where /);
  await page.getByRole('button', { name: 'Copy curl' }).click();
  await becomes(() => page.getByText('Copied.').count(), 2);
  const curl = await page.evaluate(() => navigator.clipboard.readText());
  assert.ok(!curl.includes(UNSAID));
  const answer = JSON.parse(execFileSync('bash', ['-c', `${curl} -s`], { encoding: 'utf8' }));
  assert.equal(answer.root.fields.totalCount, 200, curl);
  // What is typed stays one word of the shell.
  const evil = `'; touch /tmp/crabro-console-was-here; ' $(touch /tmp/crabro-console-was-here) \\ "`;
  await words(page).fill(evil);
  await page.locator('pre[aria-label=curl]').filter({ hasText: 'was-here' }).waitFor();
  const evilCurl = await page.locator('pre[aria-label=curl]').textContent();
  const told = execFileSync('bash', ['-c', evilCurl.replace(/^curl/, 'printf "%s\\n"')], { encoding: 'utf8' });
  assert.ok(told.includes('touch /tmp/crabro-console-was-here'), told);
  assert.throws(() => statSync('/tmp/crabro-console-was-here'));
}, { permissions: ['clipboard-read', 'clipboard-write'] }));

test('no word, value or group closes a quote of the query', () => visit(MAILS_URL, inGroup, async (page) => {
  await found(page, `${count(() => true)} documents in ann`);
  for (const text of ['zzz") or true or ("', 'zzz")) or (true', "zzz') or true or ('", 'zzz\\") or true or ("', 'zzz"}) or true']) {
    await words(page).fill(text);
    await found(page, '0 documents in ann');
  }
  const others = ['with=labels:zzz") or true or labels contains ("', 'group=zzz" or true or "'];
  for (const other of others) {
    const at = other.indexOf('=');
    const parameters = new URLSearchParams({ type: 'mail', group: 'ann' });
    parameters.set(other.slice(0, at), other.slice(at + 1));
    await page.evaluate((hash) => { location.hash = hash; }, `#/search?${parameters}`);
    if (at === 4) await found(page, '0 documents in ann');
    else await seen(page, 'No document is in the group "zzz" or true or ""');
  }
}));

test('an answer that comes late does not replace a newer one', () => visit(MAILS_URL, inGroup, async (page) => {
  await found(page, 'documents');
  const late = [];
  await page.route('**/console/api/search', async (route) => {
    const body = route.request().postData();
    if (!body.includes('harb')) return route.continue();
    const response = await route.fetch();
    late.push(() => route.fulfill({ response }).catch(() => {}));
    return undefined;
  });
  await words(page).fill('harb');
  await becomes(async () => late.length > 0, true);
  await words(page).fill('zephyr');
  await found(page, `${count(({ body }) => /Zephyr/.test(body))} documents`);
  await Promise.all(late.map((send) => send()));
  await page.evaluate(() => new Promise((done) => { requestAnimationFrame(() => requestAnimationFrame(done)); }));
  await found(page, `${count(({ body }) => /Zephyr/.test(body))} documents`);
  assert.equal(await page.locator('.hits mark', { hasText: /harb/i }).count(), 0);
}));

test('colors are those of the switch', () => visit(CONSOLE_URL, '#/overview', async (page) => {
  const back = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const light = await back();
  await page.getByLabel('Colors').selectOption('dark');
  const dark = await back();
  assert.notEqual(dark, light);
  await axe(page, 'dark colors by the switch');
  await page.reload();
  assert.equal(await back(), dark);
  await page.getByLabel('Colors').selectOption('system');
  assert.equal(await back(), light);
}, { colorScheme: 'light' }));

test('metrics go on each second', () => visit(MAILS_URL, '#/metrics', async (page) => {
  await page.getByRole('img', { name: /Plot of Documents, each second\. Now: all types 10,128 / }).waitFor();
  const asked = await page.evaluate(async () => {
    const first = await (await fetch('/console/api/seconds')).json();
    return { samples: first.times.length, gaps: first.times.slice(1).map((time, i) => time - first.times[i]) };
  });
  assert.ok(asked.samples > 1, 'the history begins with the start of the server');
  const next = page.waitForRequest(/\/console\/api\/seconds\?after=\d{10}/);
  await next;
}));

const HOSTILE_TEXT = '<img src=x onerror=';

test('no text of a hit, a facet or a group is markup', () => visit(MAILS_URL, '#/nothing', async (page) => {
  await page.evaluate(() => { window.hit = () => { window.wasHit = true; }; });
  await page.route('**/console/api/search', async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, body: JSON.stringify(hostile(await response.json())).replaceAll(/(group:root:\d+|count\(\)|m(?:in|ax)\(date\))<img.*?<b id=markup>/g, '$1') });
  });
  await page.evaluate((hash) => { location.hash = hash; }, `${inGroup}&q=sailing`);
  await page.locator('.hits').getByText(HOSTILE_TEXT).first().waitFor();
  await facet(page, 'labels').getByText(HOSTILE_TEXT).first().waitFor();
  await noMarkup(page);
  await facet(page, 'labels').getByRole('checkbox').first().check();
  await page.locator('#words').fill('<b onclick=hit()>');
  await noMarkup(page);
}));

test('a search shows hostile documents as text', () => visit(HOSTILE_URL, '#/search?q=script', async (page) => {
  await page.evaluate(() => { window.hit = () => { window.wasHit = true; }; });
  await found(page, '1 document in <img src=x onerror=hit()>');
  await page.locator('.hits a').first().click();
  await page.getByRole('region', { name: 'Document', exact: true }).getByText('<b onclick=hit()>').waitFor();
  await noMarkup(page);
  await page.evaluate(() => { location.hash = `#/search?group=${encodeURIComponent('<script>hit()</script>')}`; });
  await seen(page, 'No document is in the group "<script>hit()</script>".');
  await noMarkup(page);
}));

test('a search with a token finds what its sender may read', () => visit(GUARDED_URL, '#/search', async (page) => {
  const dialog = page.getByRole('dialog', { name: 'Sign in' });
  await dialog.waitFor();
  await dialog.getByLabel('Token').fill(ANNA_TOKEN);
  await dialog.getByRole('button', { name: 'Sign in' }).click();
  await seen(page, 'anna (read)');
  await page.evaluate(() => { location.hash = '#/search?q=tomatoes&group=anna'; });
  await found(page, '100 documents in anna');
  await page.getByText('This search for other programs').click();
  const curl = page.locator('pre[aria-label=curl]');
  await curl.filter({ hasText: 'Bearer $TOKEN' }).waitFor();
  assert.ok(!(await page.locator('body').innerText()).includes(ANNA_TOKEN));
  const answer = JSON.parse(execFileSync('bash', ['-c', `${await curl.textContent()} -s`], { encoding: 'utf8', env: { ...process.env, TOKEN: ANNA_TOKEN } }));
  assert.equal(answer.root.fields.totalCount, 100);
  await page.evaluate(() => { location.hash = '#/search?q=tomatoes&group=bert'; });
  await seen(page, "'anna' may not touch group 'bert'");
}));

test('a query without a group says which there are', () => visit(CONSOLE_URL, '#/query', async (page) => {
  await page.getByLabel('YQL').fill('select * from note where true');
  await page.getByRole('button', { name: 'Run' }).click();
  await seen(page, 'Choose a group in the field Group: anna (100), bert (100).');
  assert.ok(!(await page.locator('body').innerText()).includes(UNSAID));
}));

test(`hits of ${MAILS} mails are repainted soon`, () => visit(MAILS_URL, inGroup, async (page) => {
  await found(page, 'documents');
  const measure = () => page.evaluate(() => performance.getEntriesByName('crabro.repaint')[0]?.duration);
  const times = [];
  for (let round = 0; round < 6; round++) {
    for (const text of ['s', 'sa', 'sai', 'sail', 'harbour', 'harbour lan', 'cafe zeph']) {
      await page.evaluate(() => performance.clearMeasures('crabro.repaint'));
      await words(page).fill(text);
      await becomes(async () => (await measure()) > 0, true);
      // The first rounds compile.
      if (round > 1) times.push(await measure());
      await page.waitForLoadState('networkidle');
    }
  }
  times.sort((a, b) => a - b);
  const median = times[Math.floor(times.length / 2)];
  console.log(`from a key to the painted hits of ${MAILS} mails: median ${median.toFixed(1)} ms, 90 % ${times[Math.floor(times.length * 0.9)].toFixed(1)} ms`);
  // Other programs of a test machine make most of them slower.
  const quarter = times[Math.floor(times.length / 4)];
  assert.ok(quarter < REPAINT_MAX_MILLIS, `a quarter takes less than ${quarter} ms`);
}));

test('all pages together are small, and the first paint is soon', async () => {
  const paints = [];
  for (let i = 0; i < 5; i++) {
    await visit(CONSOLE_URL, '#/overview', async (page) => {
      await PAGES.overview(page);
      paints.push(await page.evaluate(() => performance.getEntriesByName('first-contentful-paint')[0].startTime));
    });
  }
  paints.sort((a, b) => a - b);
  let bytes = 0;
  await visit(CONSOLE_URL, '#/overview', async (page) => {
    const session = await page.context().newCDPSession(page);
    await session.send('Network.enable');
    session.on('Network.loadingFinished', ({ encodedDataLength }) => { bytes += encodedDataLength; });
    await page.reload();
    for (const [name, work] of Object.entries(PAGES)) {
      await page.goto(`${CONSOLE_URL}/console/#/${name}`);
      await page.getByRole('heading', { level: 1, name: name, exact: false }).waitFor();
      await work(page);
    }
    const tags = [];
    page.on('response', (response) => {
      if (/\/console\/[^/]*$/.test(new URL(response.url()).pathname)) tags.push(response.headers().etag);
    });
    await page.reload();
    await page.locator('h1').waitFor();
    assert.ok(tags.length > 3 && tags.every(Boolean), 'every file has an ETag');
  });
  console.log(`first paint: ${paints.map((paint) => Math.round(paint)).join(', ')} ms; transferred with all pages and their data: ${bytes} bytes`);
  assert.ok(bytes < TRANSFER_MAX, `${bytes} bytes`);
  assert.ok(paints[2] < PAINT_MAX_MILLIS, `the median of first paints is ${paints[2]} ms`);
});

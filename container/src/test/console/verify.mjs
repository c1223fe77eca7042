// Opens every page of the console in a headless browser, with a real server behind it.
// bin/verify-console starts the servers and sets the variables of the environment.

import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { chromium } from 'playwright-core';

const { CONSOLE_URL, GUARDED_URL, EMPTY_URL, HOSTILE_URL, CHROMIUM, TOKEN, ANNA_TOKEN, SHOTS } = process.env;
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const TRANSFER_MAX = 400_000;
const PAINT_MAX_MILLIS = 500;
const SHOT_MAX = 100_000;

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

async function shot(page, name, at = 'h1') {
  if (!SHOTS) return;
  mkdirSync(SHOTS, { recursive: true });
  await page.locator(at).evaluate((element) => (element.tagName === 'H1' ? scrollTo(0, 0) : element.scrollIntoView()));
  const path = join(SHOTS, `${name}.jpg`);
  await page.screenshot({ path, type: 'jpeg', quality: 45 });
  assert.ok(statSync(path).size < SHOT_MAX, `${path} has ${statSync(path).size} bytes`);
}

const seen = (page, text) => page.getByText(text, { exact: false }).first().waitFor();

const PAGES = {
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
    await page.getByRole('img', { name: /Plot of Queries/ }).waitFor();
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

for (const scheme of ['light', 'dark']) {
  for (const [name, work] of Object.entries(PAGES)) {
    test(`${name} shows real data, ${scheme}`, () => visit(CONSOLE_URL, `#/${name}`, async (page) => {
      await work(page);
      await axe(page, `${name}, ${scheme}`);
      if (scheme === (name === 'metrics' ? 'dark' : 'light')) await shot(page, name);
    }, { colorScheme: scheme }));
  }
}

test('a narrow window has no horizontal scroll bar', () => visit(CONSOLE_URL, '#/query', async (page) => {
  await seen(page, 'Rank profile');
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
}, { viewport: { width: 360, height: 700 } }));

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
  for (const [name, text] of [['overview', 'No application is deployed.'], ['schemas', 'no application is deployed'], ['query', 'no application is deployed'],
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
      if (name === 'documents' && route.request().url().endsWith('/schemas')) return route.continue();
      const response = await route.fetch();
      const text = await response.text();
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
  assert.equal(await focused(), 'Overview');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Query', exact: true }).waitFor();
  assert.equal(await focused(), 'Query');
  await page.getByLabel('YQL').waitFor();
  await page.keyboard.press('Tab');
  assert.equal(await page.evaluate(() => document.activeElement.tagName), 'TEXTAREA');
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

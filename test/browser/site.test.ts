import { execFileSync } from 'node:child_process';
import { createServer, type Server } from 'node:http';
import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { extname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser, Locator, Page } from 'playwright-core';
import { eventually } from '../../src/testing/eventually.js';
import { axeViolations } from './axe.js';
import { launchChromium } from './chromium.js';

const root = join(import.meta.dirname, '..', '..');
const dist = join(root, 'site', 'dist');
const BUILD_MS = 300_000;
const TYPES: Readonly<Record<string, string>> = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' };

let server: Server;
let browser: Browser;
let origin: string;

beforeAll(async () => {
  execFileSync(process.execPath, [join(root, 'node_modules', 'vitepress', 'bin', 'vitepress.js'), 'build', 'site'], {
    cwd: root,
  });
  // As GitHub Pages: /cache is cache.html.
  server = createServer(({ url = '/' }, response) => {
    const path = join(dist, decodeURI(new URL(url, 'http://site').pathname));
    const file = [path, `${path}.html`, join(path, 'index.html')].find(
      (each) => existsSync(each) && statSync(each).isFile(),
    );
    response.statusCode = file === undefined ? 404 : 200;
    response.setHeader('content-type', TYPES[extname(file ?? '.html')] ?? 'application/octet-stream');
    response.end(readFileSync(file ?? join(dist, '404.html')));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  origin = `http://127.0.0.1:${String(typeof address === 'object' ? address?.port : '')}`;
  browser = await launchChromium();
}, BUILD_MS);
afterAll(async () => {
  await browser.close();
  server.close();
});

async function open(path: string, colorScheme: 'light' | 'dark' = 'light', width = 1280): Promise<Page> {
  const context = await browser.newContext({ colorScheme, viewport: { width, height: 800 } });
  const page = await context.newPage();
  await page.goto(`${origin}${path}`);
  return page;
}

/** Opens the search. A page reacts to keys a moment after it is shown. */
async function openSearch(page: Page): Promise<Locator> {
  const input = page.locator('#localsearch-input');
  await eventually(async () => {
    await page.keyboard.press('Control+k');
    await input.waitFor({ timeout: 500 });
  });
  return input;
}

/** A question of a new user, and the page of the first result. */
const QUESTIONS: readonly (readonly [string, string])[] = [
  ['which files form an operator', '/deployment'],
  ['hot loops', '/triggers'],
  ['leader election lost', '/troubleshooting'],
  ['finalizers and deletion', '/reconcile'],
  ['create once', '/reconcile'],
  ['quantities', '/reconcile'],
  ['status and conditions', '/reconcile'],
  ['rate limit', '/how-to/rate-limited-api'],
  ['argo cd', '/how-to/gitops'],
  ['openshift', '/how-to/openshift'],
  ['pause an object', '/how-to/pause-an-object'],
  ['adopt existing objects', '/how-to/adopt-existing-objects'],
  ['debug in the cluster', '/how-to/debug-in-the-cluster'],
  ['restart pods', '/how-to/restart-on-config-change'],
  ['run a job once', '/how-to/run-a-job-to-its-end'],
  ['sharding', '/sharding'],
  ['measure the caches', '/cache'],
  ['alerts and dashboard', '/deployment'],
  ['build the image', '/deployment'],
  ['helm', '/deployment'],
  ['several clusters', '/clusters'],
  ['traces', '/operations'],
  ['removing a version', '/versions'],
  ['migrate-storage', '/cli'],
  ['import-crd', '/cli'],
  ['find missing permissions', '/permissions'],
  ['imagepullbackoff', '/troubleshooting'],
  ['vitest', '/testing'],
  ['injected fakes', '/testing'],
  ['ctx.get', '/troubleshooting'],
];

describe('the site', () => {
  test('the search finds the page of each question first', async () => {
    const page = await open('/');
    const missed: string[] = [];
    for (const [question, expected] of QUESTIONS) {
      const input = await openSearch(page);
      const results = page.locator('.VPLocalSearchBox .result');
      // The dialog shows the results of the last question until it has those of this one.
      await input.fill('');
      await results.first().waitFor({ state: 'detached' });
      await input.fill(question);
      await results.first().waitFor();
      const href = (await results.first().getAttribute('href')) ?? '';
      if (href.replace(/#.*/, '') !== expected) missed.push(`${question}: ${href}`);
      await page.keyboard.press('Escape');
      await page.locator('.VPLocalSearchBox').waitFor({ state: 'detached' });
    }
    expect(missed).toEqual([]);
  }, 120_000);

  test.each([
    ['light', 1280],
    ['dark', 1280],
    ['light', 320],
    ['dark', 320],
  ] as const)(
    'meets WCAG 2.2 AA in the %s scheme, %i pixels wide',
    async (scheme, width) => {
      const found: string[] = [];
      for (const path of ['/', '/getting-started', '/how-to/gitops', '/tutorial/1-types', '/triggers']) {
        const page = await open(path, scheme, width);
        found.push(...(await axeViolations(page)).map((line) => `${path}: ${line}`));
        if ((await page.evaluate<number>('document.documentElement.scrollWidth')) > width)
          found.push(`${path}: scrolls sideways`);
        await page.context().close();
      }
      expect(found).toEqual([]);
    },
    60_000,
  );

  test('a reader reaches the search and a page with the keyboard alone', async () => {
    const page = await open('/');
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.textContent')).toMatch(/Skip to content/);
    await openSearch(page);
    await page.keyboard.type('sharding');
    await page.locator('.VPLocalSearchBox .result mark').first().waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Sharding' }).waitFor();
  });

  test('the texts for coding assistants are part of the site', async () => {
    const list = await (await fetch(`${origin}/llms.txt`)).text();
    expect(list).toContain('(getting-started.md)');
    expect((await fetch(`${origin}/getting-started.md`)).status).toBe(200);
  });

  test('each link between its pages leads to a page and a section', () => {
    const pages = new Map(globSync('**/*.html', { cwd: dist }).map((file) => [file, contentsOf(join(dist, file))]));
    const broken = [...pages].flatMap(([file, { links }]) =>
      links.flatMap((link) => {
        const { pathname, hash } = new URL(
          link,
          `http://site/${file.replace(/(?:^|(?<=\/))index\.html$|\.html$/, '')}`,
        );
        const path = decodeURI(pathname).slice(1);
        const target = [path, `${path}.html`, join(path, 'index.html')].find((each) => each !== '' && existsFile(each));
        const isFound =
          target !== undefined && (hash === '' || pages.get(target)?.ids.has(decodeURIComponent(hash.slice(1))));
        return isFound ? [] : [`${file}: ${link}`];
      }),
    );
    expect(
      [...pages.values()].flatMap(({ links }) => links.filter((link) => link.includes('#'))).length,
    ).toBeGreaterThan(500);
    expect(broken).toEqual([]);
  });

  test('diagrams are pictures with a text, in the colors of the page', async () => {
    const page = await open('/triggers', 'dark');
    const diagram = page.getByRole('img', { name: /The flow of an event/ });
    await diagram.locator('text', { hasText: 'Worker: reconcile' }).waitFor();
    const valueOf = (element: string, property: string): Promise<unknown> =>
      page.evaluate(`getComputedStyle(document.querySelector('${element}')).getPropertyValue('${property}')`);
    expect(await valueOf('.diagram svg', '--fg')).toBe(await valueOf('html', '--vp-c-text-1'));
    await page.context().close();
  });
});

function existsFile(path: string): boolean {
  return existsSync(join(dist, path)) && statSync(join(dist, path)).isFile();
}

/** The links of a built page to other pages and sections, and its anchors. */
function contentsOf(path: string): { links: string[]; ids: Set<string> } {
  const html = readFileSync(path, 'utf8');
  const links = [...html.matchAll(/<a [^>]*href="([^"]+)"/g)].map(([, link = '']) => link.replaceAll('&amp;', '&'));
  const ids = new Set([...html.matchAll(/ id="([^"]+)"/g)].map(([, id = '']) => id));
  return { links: links.filter((link) => !/^\w+:/.test(link)), ids };
}

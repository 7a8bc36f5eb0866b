import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Locator } from 'playwright-core';
import { StartedCommand } from '../cli/started-command.js';
import { TemporaryProject } from '../cli/temporary-project.js';
import { launchChromium } from './chromium.js';
import { openPage } from './open-page.js';

const PODSET = readFileSync(join(import.meta.dirname, '..', '..', 'operators', 'podset.ts'), 'utf8');
/** From the start of the command. */
const PATIENCE_MS = 60_000;

let project: TemporaryProject;
let demo: StartedCommand;
let browser: Browser;
let startedMs: number;

beforeAll(async () => {
  browser = await launchChromium();
  project = new TemporaryProject({ 'operators/podset.ts': PODSET });
  startedMs = performance.now();
  demo = new StartedCommand(project.start('kindwright', ['demo']));
});
afterAll(async () => {
  await demo.end();
  project.remove();
  await browser.close();
});

test('two clicks lead from the page of npm start to the cause of a reconcile', async () => {
  const [url] = await demo.printed(/http:\/\/127\.0\.0\.1:\d+\/#t=[\w-]+/);
  await using opened = await openPage(browser, url);
  const { page } = opened;
  let clicks = 0;
  const click = async (element: Locator): Promise<void> => {
    clicks += 1;
    await element.click();
  };
  const objects = page.getByRole('grid', { name: 'Objects' });
  await click(
    objects
      .getByRole('row', { name: /^PodSet / })
      .first()
      .getByRole('link'),
  );
  await click(
    page
      .getByRole('region', { name: 'Runs' })
      .getByText(/\d write/)
      .first(),
  );
  const causes = page.getByRole('region', { name: 'Why it ran' }).getByRole('listitem');
  await causes.first().waitFor();
  expect(await causes.first().innerText()).toMatch(/PodSet|@(Owns|Watches)/);
  expect(clicks).toBe(2);
  expect(performance.now() - startedMs).toBeLessThan(PATIENCE_MS);
  expect(opened.problems).toEqual([]);
});

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { silentLogger } from '../../src/base/logger.js';
import { RunningConsoleFile } from '../../src/console/running-console-file.js';
import { eventually } from '../../src/testing/eventually.js';
import { consoleSuite, FRAGILE } from './console-suite.js';

const suite = consoleSuite({ 'fragile.ts': FRAGILE });

describe('the stream of the page', () => {
  test('ends with a message when the token is wrong', async () => {
    const { page } = await suite.open();
    const streams: string[] = [];
    page.on('request', (request) => {
      if (request.url().includes('/stream')) streams.push(request.url());
    });
    await page.evaluate('sessionStorage.clear()');
    await page.reload();
    await page.getByRole('heading', { name: 'Access denied' }).waitFor();
    await page.clock.install();
    await page.clock.fastForward(120_000);
    expect(streams).toHaveLength(1);
    await page.getByLabel('URL or token').fill(suite.url);
    await page.getByRole('button', { name: 'Open the console' }).click();
    await page.getByText('Live', { exact: true }).waitFor();
  });

  test('ends 30 s after the page is hidden, and resumes after the last event', async () => {
    const { page, problems } = await suite.open();
    const ids: (string | undefined)[] = [];
    page.on('request', (request) => {
      if (request.url().includes('/stream')) ids.push(request.headers()['last-event-id']);
    });
    await page.clock.install();
    await setHidden(page, true);
    await page.clock.fastForward(29_000);
    expect(await page.getByText('Live', { exact: true }).isVisible()).toBe(true);
    await page.clock.fastForward(2000);
    await page.getByText('Paused while hidden').waitFor();
    await setHidden(page, false);
    await page.getByText('Live', { exact: true }).waitFor();
    expect(ids).toEqual([expect.stringMatching(/^[\w-]+\.\d+\.\d+$/)]);
    expect(problems).toEqual([]);
  });

  test('is reached through the file of --open', async () => {
    const { page, problems } = await suite.open();
    const folder = mkdtempSync(join(tmpdir(), 'kindwright-runtime-'));
    const { origin, hash } = new URL(suite.url);
    const running = { url: origin, token: hash.slice('#t='.length), pid: process.pid, operator: 'fragile' };
    const file = RunningConsoleFile.write(running, silentLogger, { XDG_RUNTIME_DIR: folder });
    await page.evaluate('sessionStorage.clear()');
    await page.goto(pathToFileURL(file?.writeRedirect() ?? '').href);
    await page.getByText('Live', { exact: true }).waitFor();
    expect(page.url()).not.toContain('t=');
    rmSync(folder, { recursive: true });
    expect(problems).toEqual([]);
  });

  test('reports that the operator has stopped, and tries again', async () => {
    const { page } = await suite.open();
    const attempts: string[] = [];
    page.on('requestfailed', (request) => attempts.push(request.url()));
    await suite.operator.end();
    await page.getByRole('banner').getByText('Connection lost').waitFor();
    await page.getByText(/What is shown may be out of date/).waitFor();
    await eventually(() => {
      expect(attempts.length).toBeGreaterThan(1);
    });
  });
});

async function setHidden(page: Page, isHidden: boolean): Promise<void> {
  await page.evaluate(
    `Object.defineProperty(document, 'hidden', { configurable: true, value: ${String(isHidden)} });
    document.dispatchEvent(new Event('visibilitychange'));`,
  );
}

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { PodSet } from '../../operators/podset.js';
import { kindByName } from '../../src/index.js';
import { eventually } from '../../src/testing/eventually.js';
import { consoleSuite, FAILING_LINE, FRAGILE } from './console-suite.js';
import { replaceInEditor } from './editor.js';

const PODSET = readFileSync(join(import.meta.dirname, '..', '..', 'operators', 'podset.ts'), 'utf8');
const Fragile = kindByName({ group: 'test.example.com', version: 'v1', kind: 'Fragile' });
const namespace = 'default';

const suite = consoleSuite({ 'podset.ts': PODSET, 'fragile.ts': FRAGILE });

beforeAll(async () => {
  const { client } = suite;
  await client.create(PodSet, { metadata: { name: 'example', namespace }, spec: { size: 2 } });
  await client.create(Fragile, { metadata: { name: 'broken', namespace }, spec: {} });
  await eventually(async () => {
    const { status } = await client.get(PodSet, 'example', { namespace });
    expect(status?.nodes).toHaveLength(2);
  });
});

/** Waits for an element with the text. */
async function see(page: Page, text: string | RegExp): Promise<void> {
  await page.getByText(text).first().waitFor();
}

async function openObject(page: Page, name: string): Promise<void> {
  await page.getByRole('grid', { name: 'Objects' }).getByRole('link', { name, exact: true }).first().click();
  await page.getByRole('heading', { level: 1, name }).waitFor();
}

describe('the console', () => {
  test('lists the objects with their states, and filters them', async () => {
    const { page, problems } = await suite.open();
    const grid = page.getByRole('grid', { name: 'Objects' });
    await grid.getByRole('row', { name: /PodSet default\/example/ }).waitFor();
    await grid.getByRole('row', { name: /Deployment default\/example Available/ }).waitFor();
    await page.getByRole('searchbox').fill('broken');
    await eventually(async () => {
      expect(await grid.getByRole('row').count()).toBe(2);
    });
    expect(page.url()).toMatch(/#\/objects\?q=broken$/);
    await page.reload();
    await see(page, /^1 of \d+ objects$/);
    expect(problems).toEqual([]);
  });

  test('removes the token from the URL', async () => {
    const { page } = await suite.open();
    expect(page.url()).not.toContain('t=');
  });

  test('shows an object with its dependents, conditions and text', async () => {
    const { page, problems } = await suite.open();
    await openObject(page, 'default/example');
    const tree = page.getByRole('tree');
    await tree.getByRole('treeitem', { name: /Deployment default\/example/ }).waitFor();
    await see(page, 'size: 2');
    await tree.getByRole('treeitem', { name: /ReplicaSet default\/example-/ }).waitFor();
    await tree.getByRole('link', { name: 'default/example', exact: true }).last().click();
    await page.getByRole('heading', { name: 'Deployment default/example' }).waitFor();
    const conditions = page.getByRole('region', { name: 'Conditions' });
    await conditions.getByText('MinimumReplicasAvailable').waitFor();
    expect(problems).toEqual([]);
  });

  test('lists the runs with their causes', async () => {
    const { page, show, problems } = await suite.open();
    await show('runs');
    const grid = page.getByRole('grid', { name: 'Runs' });
    await grid
      .getByText(/@Owns\(Deployment\)/)
      .first()
      .waitFor();
    await page.getByLabel('Outcome').selectOption('failed');
    await grid
      .getByRole('row', { name: /Failed.*default\/broken/ })
      .first()
      .waitFor();
    expect(await grid.getByText('default/example').count()).toBe(0);
    expect(problems).toEqual([]);
  });

  test('shows the causes, reads and writes of a run', async () => {
    const { page, problems } = await suite.open();
    await openObject(page, 'default/example');
    await page
      .getByRole('region', { name: 'Runs' })
      .getByText(/\d write/)
      .first()
      .click();
    await page.getByRole('heading', { name: /Run of podset default\/example/i }).waitFor();
    await page.getByRole('region', { name: 'Why it ran' }).getByRole('listitem').first().waitFor();
    const calls = page.getByRole('region', { name: 'Reads and writes' });
    await calls
      .getByRole('row', { name: /list Pod/ })
      .first()
      .waitFor();
    await calls.getByText('Written').first().waitFor();
    await calls.locator('ins').first().waitFor();
    expect(problems).toEqual([]);
  });

  test('shows where the code of the user has failed', async () => {
    const { page, problems } = await suite.open();
    await openObject(page, 'default/broken');
    await page.getByRole('region', { name: 'Runs' }).getByText('Failed').first().click();
    await see(page, /TypeError: Cannot read properties of undefined/);
    await see(page, new RegExp(`^operators/fragile\\.ts:${String(FAILING_LINE)}(:\\d+)?$`));
    await page.getByRole('region', { name: 'Log' }).getByText('ERROR').first().waitFor();
    expect(problems).toEqual([]);
  });

  test('shows queues, workers, watches and caches', async () => {
    const { page, show, problems } = await suite.open();
    await show('runtime');
    await page.getByRole('region', { name: 'Controllers' }).getByText('of 2 busy').waitFor();
    await page.getByRole('region', { name: 'Watches' }).getByText('Watching').first().waitFor();
    const caches = page.getByRole('region', { name: 'Caches' });
    await caches.getByText('apps.jicki.cn/v1alpha1').waitFor();
    await caches.getByRole('row', { name: /^Deployment apps\/v1 podset .* \d+ %.* \d+ kB$/ }).waitFor();
    await see(page, /leader/i);
    expect(problems).toEqual([]);
  });

  test('shows the log, by level', async () => {
    const { page, show, problems } = await suite.open();
    await show('logs');
    await page.getByLabel('Level').selectOption('error');
    const log = page.getByRole('log');
    await log.getByText('ERROR').first().waitFor();
    expect(await log.getByText('INFO').count()).toBe(0);
    await log
      .getByText(/TypeError: Cannot read/)
      .first()
      .waitFor();
    expect(problems).toEqual([]);
  });

  test('shows the findings of the doctor with the line to change', async () => {
    const { page, show, problems } = await suite.open();
    await show('doctor');
    await page.getByRole('listitem').filter({ hasText: 'default/broken' }).first().waitFor({ timeout: 50_000 });
    await see(page, new RegExp(`fragile\\.ts:${String(FAILING_LINE)}`));
    expect(problems).toEqual([]);
  });

  test('draws metrics, with their values in a table', async () => {
    const { page, show, problems } = await suite.open();
    await show('metrics');
    await page.locator('.charts canvas').first().waitFor();
    await page
      .getByRole('region', { name: 'API calls per second' })
      .getByText(/^20[01]$/)
      .first()
      .waitFor();
    await page.getByText('Show the values as a table').click();
    await page.getByRole('columnheader', { name: 'Memory: heap' }).waitFor();
    expect(problems).toEqual([]);
  });

  test('checks the text of an object on the API server before it applies it', async () => {
    const { page, problems } = await suite.open();
    await openObject(page, 'default/example');
    await page.getByRole('link', { name: 'Edit' }).click();
    await replaceInEditor(page, (text) => text.replace('size: 2', 'siez: 2'));
    await see(page, /Rejected/);
    await see(page, /siez/);
    expect(await page.getByRole('button', { name: 'Apply' }).isEnabled()).toBe(false);
    await replaceInEditor(page, (text) =>
      text.replace('siez: 2', 'size: 2').replace('  name: example', '  labels:\n    tier: gold\n  name: example'),
    );
    await see(page, /Accepted: 1 change/);
    await page.getByRole('button', { name: 'Apply' }).click();
    await see(page, /Applied 1 change/);
    expect((await suite.client.get(PodSet, 'example', { namespace })).metadata.labels).toMatchObject({ tier: 'gold' });
    expect(problems).toEqual([]);
  });

  test('names the other manager of a field that it cannot change', async () => {
    const { page, problems } = await suite.open();
    await openObject(page, 'default/example');
    await page.getByRole('link', { name: 'Edit' }).click();
    await replaceInEditor(page, (text) => text.replace('size: 2', 'size: 5'));
    await see(page, /The field is managed by/);
    expect(problems).toEqual([]);
  });

  test('completes the text with the fields of the schema', async () => {
    const { page, show, problems } = await suite.open();
    await show('edit');
    await replaceInEditor(page, () => 'apiVersion: apps.jicki.cn/v1alpha1\nkind: PodSet\nspec:\n  s');
    const fields = page.getByRole('region', { name: 'Fields at the cursor' });
    await fields.getByRole('button', { name: /size.*integer/ }).waitFor();
    await page.keyboard.press('Control+Space');
    await page.keyboard.press('Enter');
    await page.keyboard.type('1');
    await page.locator('.cm-line').getByText('size: 1').waitFor();
    expect(problems).toEqual([]);
  });

  test('pauses a controller, and steps through its reconciles', async () => {
    const { page, show, problems } = await suite.open();
    await show('runtime');
    const controllers = page.getByRole('region', { name: 'Controllers' });
    await controllers.getByRole('button', { name: 'Pause podset' }).click();
    await controllers.getByText('Paused').waitFor();
    await suite.client.create(PodSet, { metadata: { name: 'stepped', namespace }, spec: { size: 1 } });
    await page.getByText('default/stepped').first().waitFor();
    expect((await suite.client.get(PodSet, 'stepped', { namespace })).status).toBeUndefined();
    await eventually(async () => {
      await controllers.getByRole('button', { name: 'Step podset' }).click();
      expect((await suite.client.get(PodSet, 'stepped', { namespace })).status?.nodes).toHaveLength(1);
    });
    await controllers.getByRole('button', { name: 'Resume podset' }).click();
    await controllers.getByRole('button', { name: 'Pause podset' }).waitFor();
    await suite.client.delete(PodSet, 'stepped', { namespace });
    await eventually(async () => {
      const { items } = await suite.client.list(PodSet, { namespace });
      expect(items.map(({ metadata }) => metadata.name)).toEqual(['example']);
    });
    expect(problems).toEqual([]);
  });

  test('requests a reconcile, which names the console as its cause', async () => {
    const { page, problems } = await suite.open();
    await openObject(page, 'default/example');
    await page.getByRole('button', { name: 'Reconcile now' }).click();
    await page.getByText('Reconcile requested').first().waitFor();
    await page
      .getByRole('region', { name: 'Runs' })
      .getByText(/console/)
      .first()
      .click();
    await page
      .getByRole('region', { name: 'Why it ran' })
      .getByText(/console/)
      .first()
      .waitFor();
    expect(problems).toEqual([]);
  });

  test('shows HTML and addresses in fields of objects as text', async () => {
    const names = [`<img src=x onerror="document.title='attacked'">`, 'javascript:alert(1)'];
    await suite.client.create(Fragile, { metadata: { name: 'html', namespace }, spec: { names } });
    const { page, problems } = await suite.open();
    await openObject(page, 'default/html');
    for (const name of names) await see(page, name);
    expect(await page.locator('img, [href^="javascript:"]').count()).toBe(0);
    expect(await page.title()).not.toBe('attacked');
    expect(problems).toEqual([]);
  });

  test('deletes an object after a confirmation', async () => {
    await suite.client.create(PodSet, { metadata: { name: 'obsolete', namespace }, spec: { size: 0 } });
    const { page, problems } = await suite.open();
    await openObject(page, 'default/obsolete');
    await page.getByRole('button', { name: /Delete/ }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
    await eventually(async () => {
      const { items } = await suite.client.list(PodSet, { namespace });
      expect(items.map(({ metadata }) => metadata.name)).toEqual(['example']);
    });
    expect(problems).toEqual([]);
  });
});

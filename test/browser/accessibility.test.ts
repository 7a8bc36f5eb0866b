import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { PodSet } from '../../operators/podset.js';
import { kindByName, Secret } from '../../src/index.js';
import { eventually } from '../../src/testing/eventually.js';
import { axeViolations } from './axe.js';
import { consoleSuite, FRAGILE } from './console-suite.js';

const PODSET = readFileSync(join(import.meta.dirname, '..', '..', 'operators', 'podset.ts'), 'utf8');
const Fragile = kindByName({ group: 'test.example.com', version: 'v1', kind: 'Fragile' });
const namespace = 'default';

/** A secret of an object, its child and its log. */
const CANARY = 'canary7c1d';
const VAULT = `
import { Context, CustomResource, Field, Kind, Owns, Secret, Validate } from 'kindwright';

class VaultSpec {
  @Field({ format: 'password' }) password!: string;
}

@Kind({ group: 'test.example.com', version: 'v1' })
@Owns(Secret)
export class Vault extends CustomResource {
  @Field() spec!: VaultSpec;

  @Validate() check(): void {}

  async reconcile(ctx: Context): Promise<void> {
    ctx.log.error('calling with Authorization: Bearer ' + this.spec.password);
    await ctx.apply(Secret, { metadata: { name: this.metadata.name }, stringData: { key: this.spec.password } });
  }
}
`;
const Vault = kindByName({ group: 'test.example.com', version: 'v1', kind: 'Vault' });

// With webhooks and slots, so that the Runtime screen has all its tables.
const suite = consoleSuite({ 'podset.ts': PODSET, 'fragile.ts': FRAGILE, 'vault.ts': VAULT }, ['--sharding']);

beforeAll(async () => {
  await suite.client.create(PodSet, { metadata: { name: 'example', namespace }, spec: { size: 2 } });
  await suite.client.create(Fragile, { metadata: { name: 'broken', namespace }, spec: {} });
  await suite.client.create(Vault, { metadata: { name: 'vault', namespace }, spec: { password: CANARY } });
});

/** The id of a run of an object. */
function runOf(object: string | undefined): Promise<string> {
  const { origin, hash } = new URL(suite.url);
  const headers = { authorization: `Bearer ${hash.slice('#t='.length)}` };
  return eventually(async () => {
    const response = await fetch(`${origin}/api/v1/objects/${String(object)}/runs`, { headers });
    const { runs } = (await response.json()) as { readonly runs: readonly { readonly id: string }[] };
    if (!runs[0]) throw new Error('no run yet');
    return runs[0].id;
  });
}

/** Each screen: the part of its URL after `#/`, and a text that it shows when it is complete. */
async function screens(): Promise<(readonly [name: string, view: string, text: string | RegExp])[]> {
  const { client } = suite;
  const { uid } = (await client.get(PodSet, 'example', { namespace })).metadata;
  const failing = (await client.get(Fragile, 'broken', { namespace })).metadata.uid;
  return [
    ['objects', 'objects', 'default/broken'],
    ['object', `objects/${String(uid)}`, 'Owners and dependents'],
    ['timeline', 'runs', /@Owns\(Deployment\)/],
    ['run', `runs/${await runOf(uid)}`, 'Reads and writes'],
    ['failed run', `runs/${await runOf(failing)}`, 'Stack trace'],
    ['runtime', 'runtime', /works on 1,024 of 1,024 slots/],
    ['logs', 'logs', 'ERROR'],
    ['doctor', 'doctor', /Doctor/],
    ['metrics', 'metrics', 'Event-loop delay'],
    ['editor', `edit/${String(uid)}`, 'apiVersion'],
  ];
}

const widthOf = (page: Page) => page.evaluate<number>('document.documentElement.scrollWidth');

describe('each screen of the console', () => {
  test.each([
    ['light', 1280],
    ['dark', 1280],
    ['light', 320],
    ['dark', 320],
  ] as const)('meets WCAG 2.2 AA in the %s scheme, %i pixels wide', async (scheme, width) => {
    const { page, show, problems } = await suite.open({ scheme, width });
    const found: string[] = [];
    for (const [name, view, text] of await screens()) {
      await show(view);
      await page.getByText(text).first().waitFor({ state: 'attached' });
      found.push(...(await axeViolations(page)).map((line) => `${name}: ${line}`));
      if ((await widthOf(page)) > width) found.push(`${name}: scrolls sideways`);
    }
    expect(found).toEqual([]);
    expect(problems).toEqual([]);
  });
});

test('no screen shows a secret', async () => {
  const { page, show } = await suite.open();
  const { uid } = (await suite.client.get(Vault, 'vault', { namespace })).metadata;
  const { uid: child } = (await eventually(() => suite.client.get(Secret, 'vault', { namespace }))).metadata;
  const redacted = [
    `objects/${String(uid)}`,
    `runs/${await runOf(uid)}`,
    `edit/${String(uid)}`,
    `objects/${String(child)}`,
  ];
  const views = [
    ...redacted.map((view) => [view, /‹redacted/] as const),
    ...(await screens()).map(([, view, text]) => [view, text] as const),
  ];
  for (const [view, text] of views) {
    await show(view);
    await page.getByText(text).first().waitFor({ state: 'attached' });
    const content = await page.content();
    for (const secret of [CANARY, btoa(CANARY)]) expect(content).not.toContain(secret);
  }
});

describe('the Runtime screen', () => {
  test('shows the slots of the replica, and the webhooks with their certificate', async () => {
    const { page, show, problems } = await suite.open();
    await show('runtime');
    const shards = page.getByRole('region', { name: 'Shards' });
    await shards.getByText('this replica', { exact: true }).waitFor();
    await shards.getByText('Its slots').click();
    await shards.getByText('0-1023').waitFor();
    const webhooks = page.getByRole('region', { name: 'Webhooks' });
    await webhooks.getByText(/served on port \d+, certificate valid until \d{4}-\d\d-\d\d/).waitFor();
    await webhooks.getByRole('row', { name: /Validating Vault/ }).waitFor();
    expect(problems).toEqual([]);
  });
});

describe('with the keyboard alone', () => {
  test('a user reaches each screen, an object and a run', async () => {
    const { page, problems } = await suite.open();
    await page
      .getByRole('link', { name: /broken/ })
      .first()
      .waitFor();
    for (const [key, title] of [
      ['t', 'Timeline'],
      ['q', 'Runtime'],
      ['l', 'Logs'],
      ['d', 'Doctor'],
      ['m', 'Metrics'],
      ['o', 'Objects'],
    ] as const) {
      await page.keyboard.press(key);
      await page.getByRole('heading', { level: 1, name: title }).waitFor();
    }
    await page.keyboard.press('/');
    await page.keyboard.type('default/example');
    await page.keyboard.press('Escape');
    await page.getByRole('grid', { name: 'Objects' }).focus();
    await page.keyboard.press('j');
    await page.keyboard.press('k');
    await page.keyboard.press('Enter');
    const tree = page.getByRole('tree');
    await tree.getByRole('treeitem', { name: /Deployment/ }).waitFor();
    await tabTo(page, 'treeitem');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('End');
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowLeft');
    await eventually(async () => {
      expect(await tree.getByRole('treeitem').count()).toBe(1);
    });
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('t');
    await page.getByRole('grid', { name: 'Runs' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: /Run of/ }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('heading', { level: 1, name: 'Timeline' }).waitFor();
    expect(problems).toEqual([]);
  });

  test('the Tab key reaches the navigation, and the skip link the content', async () => {
    const { page } = await suite.open();
    await page.keyboard.press('Tab');
    expect(await focused(page)).toBe('Skip to the content');
    await page.keyboard.press('Enter');
    expect(await page.evaluate('document.activeElement.id')).toBe('main');
  });

  test('the shortcuts of one letter can be switched off', async () => {
    const { page } = await suite.open();
    await page.keyboard.press('?');
    await page.getByRole('checkbox', { name: 'Letters are shortcuts' }).uncheck();
    await page.getByRole('button', { name: 'Close' }).click();
    await page.keyboard.press('l');
    await page.keyboard.press('Tab');
    await page.getByRole('heading', { level: 1, name: 'Objects' }).waitFor();
  });

  test('the Tab key leaves the editor', async () => {
    const { page, show } = await suite.open();
    const { uid } = (await suite.client.get(PodSet, 'example', { namespace })).metadata;
    await show(`edit/${String(uid)}`);
    await page.locator('.cm-content').focus();
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.className')).not.toBe('editor');
  });
});

const focused = (page: Page) => page.evaluate<string>('document.activeElement.textContent');

/** Presses Tab until an element of the role has the focus. */
async function tabTo(page: Page, role: string): Promise<void> {
  for (let presses = 0; presses < 40; presses += 1) {
    if ((await page.evaluate('document.activeElement.getAttribute("role")')) === role) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`the Tab key does not reach a ${role}`);
}

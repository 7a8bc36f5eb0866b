import { beforeAll, describe, expect, test } from '@jest/globals';
import { ConfigMap } from '../../src/index.js';
import { eventually } from '../../src/testing/eventually.js';
import { consoleSuite } from './console-suite.js';

/** Caches all config maps. */
const SETTINGS = `
import { ConfigMap, CustomResource, Kind, Owns } from 'kindwright';

@Kind({ group: 'test.example.com', version: 'v1' })
@Owns(ConfigMap)
export class Settings extends CustomResource {
  reconcile(): void {}
}
`;

const OBJECTS = 10_000;
/** The text that counts them, and a few objects of the server's own. */
const COMPLETE = /^(?:10,0|9,9)\d\d objects$/;
/** Writes at the same time. */
const WRITERS = 20;
const namespace = 'default';

const suite = consoleSuite({ 'settings.ts': SETTINGS });

beforeAll(async () => {
  let created = 0;
  const write = async () => {
    while (created < OBJECTS) {
      created += 1;
      const name = `settings-${String(created).padStart(5, '0')}`;
      await suite.client.create(ConfigMap, { metadata: { name, namespace }, data: { key: 'value' } });
    }
  };
  await Promise.all(Array.from({ length: WRITERS }, write));
}, 120_000);

describe('the list of 10,000 objects', () => {
  test('has few elements, finds an object, and shows its change', async () => {
    const { page, problems } = await suite.open();
    await page.getByText(COMPLETE).waitFor();
    const grid = page.getByRole('grid', { name: 'Objects' });
    expect(Number(await grid.getAttribute('aria-rowcount'))).toBeGreaterThan(OBJECTS);
    await grid.focus();
    await page.keyboard.press('End');
    await grid.getByText('settings-10000').waitFor();
    expect(await page.evaluate('document.getElementsByTagName("*").length')).toBeLessThan(1500);
    await page.getByRole('searchbox').fill('settings-05000');
    await page.getByText(/^1 of 10,0\d\d objects$/).waitFor();
    await suite.client.delete(ConfigMap, 'settings-05000', { namespace });
    await page.getByText('No object matches the filter').waitFor();
    expect(problems).toEqual([]);
  });

  test('stays where it is read when objects are added above', async () => {
    const { page } = await suite.open();
    const grid = page.getByRole('grid', { name: 'Objects' });
    await page.getByText(COMPLETE).waitFor();
    const count = await grid.getAttribute('aria-rowcount');
    await grid.focus();
    await page.keyboard.press('End');
    const last = grid.getByText('settings-10000');
    const before = await last.boundingBox();
    await suite.client.create(ConfigMap, { metadata: { name: 'a-new-one', namespace } });
    await eventually(async () => {
      expect(Number(await grid.getAttribute('aria-rowcount'))).toBe(Number(count) + 1);
    });
    expect((await last.boundingBox())?.y).toBe(before?.y);
  });
});

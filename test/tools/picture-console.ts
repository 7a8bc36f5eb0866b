// Makes docs/images/console-*.png, screens of the console for real reconciles: npm run generate:picture
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { startCluster } from 'kindwright/testing';
import { launchChromium } from '../browser/chromium.ts';
import { replaceInEditor } from '../browser/editor.ts';
import { openPage } from '../browser/open-page.ts';

const MOST_BYTES = 100_000;

/** An operator with a mistake for the screen of problems. */
const FRAGILE = `
import { CustomResource, Field, Kind } from 'kindwright';

class SiteSpec {
  @Field({ items: String, optional: true }) domains?: string[];
}

@Kind({ group: 'docs.example.com', version: 'v1' })
export class Site extends CustomResource {
  @Field() spec!: SiteSpec;

  reconcile(): void {
    if (this.spec.domains!.length === 0) throw new Error('no domains');
  }
}
`;

const root = join(import.meta.dirname, '..', '..');
const images = join(root, 'docs', 'images');
// Inside of the repository, so that the operator finds the package.
mkdirSync(join(root, '.cache'), { recursive: true });
const folder = mkdtempSync(join(root, '.cache', 'pictures-'));
writeFileSync(join(folder, 'site.ts'), FRAGILE);

await using cluster = await startCluster();
const args = ['operators/podset.ts', join(folder, 'site.ts'), '--kubeconfig', cluster.kubeconfig, '--console=0'];
const operator = spawn(process.execPath, ['dist/cli/bin/run-operator.js', ...args, '--install'], { cwd: root });
const browser = await launchChromium();
try {
  const { page, show } = await openPage(browser, await printedUrl(), { height: 490 });
  const apply = (size: number) =>
    cluster.apply([
      { apiVersion: 'apps.jicki.cn/v1alpha1', kind: 'PodSet', metadata: { name: 'example' }, spec: { size } },
    ]);
  await apply(2);
  await show('runs');
  const runs = page.getByRole('grid', { name: 'Runs' });
  await runs
    .getByText(/Watches/)
    .first()
    .waitFor();
  await apply(3);
  // Its URL, not a click: rows move while runs are added.
  const row = runs.getByRole('row', { name: /PodSet update .*spec/ }).first();
  const href = await row.getByRole('link').first().getAttribute('href');
  await show(String(href).replace('#/', ''));
  await page.getByText('Written').first().waitFor();
  await take(page, 'run');

  await show('objects');
  await page
    .getByRole('grid', { name: 'Objects' })
    .getByRole('row', { name: /PodSet default\/example/ })
    .waitFor();
  await take(page, 'objects');

  await page.getByRole('link', { name: 'default/example', exact: true }).first().click();
  await page
    .getByRole('tree')
    .getByRole('treeitem', { name: /Pod default\/example/ })
    .first()
    .waitFor();
  await page.setViewportSize({ width: 1280, height: 400 });
  await take(page, 'object');

  await page.setViewportSize({ width: 1280, height: 690 });
  await show('runtime');
  await page.getByRole('region', { name: 'Watches' }).getByText('Watching').first().waitFor();
  await page.getByRole('region', { name: 'Caches' }).getByText(/ kB$/).first().waitFor();
  await take(page, 'runtime');

  await cluster.apply([{ apiVersion: 'docs.example.com/v1', kind: 'Site', metadata: { name: 'shop' }, spec: {} }]);
  await page.setViewportSize({ width: 1280, height: 490 });
  await show('doctor');
  await page.getByRole('listitem').filter({ hasText: 'default/shop' }).first().waitFor({ timeout: 60_000 });
  await take(page, 'doctor');

  await apply(4);
  await show('runs');
  // The second change of the size.
  await runs
    .getByRole('row', { name: /PodSet update .*spec/ })
    .nth(1)
    .waitFor();
  await page.setViewportSize({ width: 1280, height: 430 });
  await take(page, 'timeline');

  await show('logs');
  await page.setViewportSize({ width: 1280, height: 300 });
  await page.getByRole('log').getByText('ERROR').first().waitFor();
  await take(page, 'logs');

  await show('metrics');
  await page.locator('.charts canvas').first().waitFor();
  await page.setViewportSize({ width: 1280, height: 700 });
  await take(page, 'metrics');

  await show('objects');
  await page.getByRole('link', { name: 'default/example', exact: true }).first().click();
  await page.getByRole('link', { name: 'Edit' }).click();
  await replaceInEditor(page, (text) => text.replace('size: 4', 'size: 3'));
  await page.getByText('The field is managed by').first().waitFor();
  await page.setViewportSize({ width: 1280, height: 490 });
  await take(page, 'editor');
} finally {
  await browser.close();
  operator.kill();
  rmSync(folder, { recursive: true });
}

async function take(page: Page, screen: string): Promise<void> {
  const path = join(images, `console-${screen}.png`);
  await page.screenshot({ path });
  const { size } = statSync(path);
  if (size > MOST_BYTES) throw new Error(`${path} has ${size} bytes, more than ${MOST_BYTES}`);
  console.log(`wrote ${path} (${Math.round(size / 1024)} KB)`);
}

function printedUrl(): Promise<string> {
  let output = '';
  return new Promise((resolve, reject) => {
    const look = (chunk: Buffer) => {
      output += chunk.toString('utf8');
      const [url] = /http:\/\/127\.0\.0\.1:\d+\/#t=[\w-]+/.exec(output) ?? [];
      if (url !== undefined) resolve(url);
    };
    operator.stdout.on('data', look);
    operator.stderr.on('data', look);
    operator.once('close', () => {
      reject(new Error(`the operator has ended: ${output}`));
    });
  });
}

// Makes docs/images/console-run.png, the Run screen of the console for a real reconcile: npm run generate:picture
import { spawn } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { startCluster } from 'kindwright/testing';
import { launchChromium } from '../browser/chromium.ts';
import { openPage } from '../browser/open-page.ts';

const MOST_BYTES = 150_000;

const root = join(import.meta.dirname, '..', '..');
const target = join(root, 'docs', 'images', 'console-run.png');

await using cluster = await startCluster();
await cluster.apply(readFileSync(join(root, 'crds-out', 'apps.jicki.cn_podsets.yaml'), 'utf8'));
const args = ['operators/podset.ts', '--kubeconfig', cluster.kubeconfig, '--console=0'];
const operator = spawn(process.execPath, ['dist/cli/bin/run-operator.js', ...args], { cwd: root });
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
  await page.screenshot({ path: target });
} finally {
  await browser.close();
  operator.kill();
}
const { size } = statSync(target);
if (size > MOST_BYTES) throw new Error(`${target} has ${size} bytes, more than ${MOST_BYTES}`);
console.log(`wrote ${target} (${Math.round(size / 1024)} KB)`);

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

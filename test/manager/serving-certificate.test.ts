import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { FakeClock } from '../../src/base/fake-clock.js';
import { readServingCertificate, watchServingCertificate } from '../../src/manager/serving-certificate.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'kindwright-certificate-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function write(text: string): void {
  for (const file of ['tls.crt', 'tls.key']) writeFileSync(join(folder, file), `${text} ${file}`);
}

test('a folder without a certificate is an error that names it', () => {
  expect(() => readServingCertificate(folder)).toThrow(`${join(folder, 'tls.crt')} cannot be read`);
});

test('a new certificate is loaded once, and an incomplete one is ignored until it is complete', async () => {
  write('old');
  const clock = new FakeClock();
  const seen: string[] = [];
  const cancel = watchServingCertificate(folder, clock, ({ cert }) => seen.push(cert));
  await clock.advance(10_000);
  rmSync(join(folder, 'tls.key'));
  await clock.advance(10_000);
  write('new');
  await clock.advance(10_000);
  await clock.advance(10_000);
  cancel();
  write('late');
  await clock.advance(20_000);
  expect(seen).toEqual(['new tls.crt']);
});

import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeAssets } from '../../../src/cli/envtest/write-assets.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'assets-'));
  jest.spyOn(process.stdout, 'write').mockReturnValue(true);
});
afterEach(() => {
  jest.restoreAllMocks();
  rmSync(folder, { recursive: true });
});

test('programs that envtest-assets wrote are replaced', () => {
  writeAssets(folder);
  const before = readFileSync(join(folder, 'etcd'), 'utf8');
  writeFileSync(join(folder, 'etcd'), before.replace('exec ', 'exec /former'));
  writeAssets(folder);
  expect(readFileSync(join(folder, 'etcd'), 'utf8')).toBe(before);
});

test('nothing is written to a folder with programs of others, such as those that setup-envtest downloads', () => {
  writeFileSync(join(folder, 'kubectl'), Buffer.alloc(100_000));
  expect(() => writeAssets(folder)).toThrow(
    expect.objectContaining({
      code: 'E_OUTPUT',
      message: expect.stringContaining('kubectl was not written by envtest-assets'),
    }),
  );
  expect(readdirSync(folder)).toEqual(['kubectl']);
});

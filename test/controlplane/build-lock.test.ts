import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { withBuildLock } from './build-lock.js';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lock-'));
});
afterEach(() => rm(folder, { recursive: true }));

describe('the build lock', () => {
  test('the build lock has one holder at a time', async () => {
    let inside = 0;
    let most = 0;
    const action = async (): Promise<void> => {
      most = Math.max(most, ++inside);
      await readdir(folder);
      inside--;
    };
    await Promise.all([1, 2, 3].map(() => withBuildLock(folder, action)));
    expect(most).toBe(1);
  });

  test('the build lock is released when the action fails', async () => {
    await expect(withBuildLock(folder, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await readdir(folder)).toEqual([]);
  });

  test('the build lock is taken over from a process that does not exist any more', async () => {
    const { pid } = spawnSync(process.execPath, ['--version']);
    await writeFile(join(folder, '.lock'), String(pid));
    let isDone = false;
    await withBuildLock(folder, async () => {
      isDone = true;
    });
    expect(isDone).toBe(true);
  });
});

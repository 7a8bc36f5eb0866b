import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { cacheFolder } from '../../src/compiler/cache-folder.js';

describe('cacheFolder', () => {
  let root: string;
  let project: string;
  let home: string;
  beforeEach(() => {
    root = realpathSync(mkdtempSync(join(tmpdir(), 'cache-folder-')));
    project = join(root, 'project');
    home = join(root, 'home');
    mkdirSync(join(project, 'operators'), { recursive: true });
    mkdirSync(home);
  });
  afterEach(() => rmSync(root, { recursive: true }));

  test('the cache folder is in the nearest node_modules', () => {
    mkdirSync(join(project, 'node_modules'));
    const folder = cacheFolder(join(project, 'operators'), { XDG_CACHE_HOME: home });
    expect(folder).toBe(join(project, 'node_modules', '.cache', 'kindwright'));
  });

  test("the cache folder is the user's own if node_modules is not writable", () => {
    mkdirSync(join(project, 'node_modules'));
    writeFileSync(join(project, 'node_modules', '.cache'), 'a file');
    expect(cacheFolder(project, { XDG_CACHE_HOME: home })).toBe(join(home, 'kindwright'));
  });

  test.each([
    ['node_modules', 0o777],
    ['node_modules/.cache', 0o1777],
    ['node_modules/.cache/kindwright', 0o777],
  ])('what is in the cache folder is executed: %s that others may write (mode %o) is not used', (name, mode) => {
    mkdirSync(join(project, 'node_modules', '.cache', 'kindwright'), { recursive: true });
    chmodSync(join(project, name), mode);
    expect(cacheFolder(project, { XDG_CACHE_HOME: home })).toBe(join(home, 'kindwright'));
  });

  test('a folder of another user is not used, and nothing is written to it', () => {
    const modules = join(project, 'node_modules');
    mkdirSync(modules);
    const isRoot = process.getuid?.() === 0;
    if (isRoot) chownSync(modules, 65_534, 65_534);
    const reader = isRoot ? 0 : -1;
    expect(cacheFolder(project, { XDG_CACHE_HOME: modules }, reader)).toBeUndefined();
    expect(readdirSync(modules)).toEqual([]);
  });

  test('nothing is cached if no folder can be written', () => {
    writeFileSync(join(root, 'file'), '');
    mkdirSync(join(project, 'node_modules'));
    writeFileSync(join(project, 'node_modules', '.cache'), '');
    expect(cacheFolder(project, { XDG_CACHE_HOME: join(root, 'file') })).toBeUndefined();
  });
});

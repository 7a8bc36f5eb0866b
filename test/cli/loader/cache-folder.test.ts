import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { cacheFolder } from '../../../src/cli/loader/cache-folder.js';

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

  test('there is no cache folder where nothing can be written', () => {
    writeFileSync(join(root, 'file'), '');
    mkdirSync(join(project, 'node_modules'));
    writeFileSync(join(project, 'node_modules', '.cache'), '');
    expect(cacheFolder(project, { XDG_CACHE_HOME: join(root, 'file') })).toBeUndefined();
  });
});

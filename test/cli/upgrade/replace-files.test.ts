import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { replaceFiles } from '../../../src/cli/upgrade/replace-files.js';

describe('replaceFiles', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'kindwright-replace-'));
    writeFileSync(join(folder, 'changed'), 'old');
    mkdirSync(join(folder, 'below'));
    writeFileSync(join(folder, 'below/deleted'), 'old');
  });
  afterEach(() => rmSync(folder, { recursive: true }));
  const tree = () =>
    Object.fromEntries(
      readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((path) => {
        const place = join(folder, path);
        return [path, statSync(place).isDirectory() ? '(folder)' : readFileSync(place, 'utf8')];
      }),
    );
  const changes = [
    { path: 'changed', content: 'new' },
    { path: 'below/deleted', content: undefined },
    { path: 'a/b/added', content: 'new' },
  ];

  test('replaceFiles writes, adds and deletes files, and leaves no temporary files and empty folders', () => {
    replaceFiles(changes, folder);
    expect(tree()).toEqual({ changed: 'new', a: '(folder)', 'a/b': '(folder)', 'a/b/added': 'new' });
  });

  test('replaceFiles keeps the mode of a file', () => {
    chmodSync(join(folder, 'changed'), 0o751);
    replaceFiles(changes, folder);
    expect(statSync(join(folder, 'changed')).mode & 0o777).toBe(0o751);
  });

  test.each([
    ['cannot be prepared', { path: 'changed/below', content: 'x' }, /^.*changed\/below: /],
    ['cannot be replaced', { path: 'taken', content: 'x' }, /^.*taken: /],
  ])('replaceFiles restores all files when one %s', (_, failing, message) => {
    mkdirSync(join(folder, 'taken'));
    const before = tree();
    expect(() => replaceFiles([...changes, failing], folder)).toThrow(message);
    expect(tree()).toEqual(before);
    expect(() => replaceFiles([failing, ...changes], folder)).toThrow(message);
    expect(tree()).toEqual(before);
  });
});

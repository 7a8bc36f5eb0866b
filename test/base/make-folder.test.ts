import { mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { makeFolder } from '../../src/base/make-folder.js';

let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'kindwright-make-folder-'));
});
afterEach(() => rmSync(root, { recursive: true }));

describe('makeFolder', () => {
  test('makeFolder creates missing parents with the given mode', () => {
    makeFolder(join(root, 'a', 'b'), 0o700);
    for (const name of ['a', 'a/b']) expect(statSync(join(root, name)).mode & 0o777).toBe(0o700);
  });

  test('makeFolder does not change an existing folder or a link to one', () => {
    symlinkSync('.', join(root, 'link'));
    makeFolder(root);
    makeFolder(join(root, 'link'));
    expect(statSync(join(root, 'link')).isDirectory()).toBe(true);
  });

  test('makeFolder reports a file in the place of a folder', () => {
    writeFileSync(join(root, 'file'), '');
    expect(() => makeFolder(join(root, 'file'))).toThrow('EEXIST');
    expect(() => makeFolder(join(root, 'file', 'a', 'b'))).toThrow('ENOTDIR');
  });

  test('makeFolder reports a broken symbolic link', () => {
    symlinkSync('nowhere', join(root, 'link'));
    expect(() => makeFolder(join(root, 'link'))).toThrow('EEXIST');
    expect(() => makeFolder(join(root, 'link', 'a'))).toThrow('EEXIST');
  });

  test('makeFolder reports a place where folders cannot be created', () => {
    if (process.platform === 'linux') expect(() => makeFolder('/proc/kindwright/a')).toThrow('ENOENT');
  });
});

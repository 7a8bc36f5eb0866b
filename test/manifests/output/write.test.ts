import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { diffManifests } from '../../../src/manifests/output/diff.js';
import { writeManifests } from '../../../src/manifests/output/write.js';

let folder: string;
let out: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'kindwright-'));
  out = join(folder, 'crds-out');
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

const FILES = [
  { path: 'a.yaml', content: 'a: 1\n' },
  { path: 'sub/b.yaml', content: 'b: 1\n' },
];

describe('writeManifests', () => {
  test('writeManifests creates the folder and its files', () => {
    expect(writeManifests(FILES, out)).toEqual({ written: ['a.yaml', 'sub/b.yaml'], unchanged: [] });
    expect(readFileSync(join(out, 'sub/b.yaml'), 'utf8')).toBe('b: 1\n');
  });

  test('writeManifests leaves no temporary files behind', () => {
    writeManifests(FILES, out);
    expect(readdirSync(out, { recursive: true }).sort()).toEqual(['a.yaml', 'sub', 'sub/b.yaml']);
  });

  test('writeManifests writes only files that differ', () => {
    writeManifests(FILES, out);
    writeFileSync(join(out, 'a.yaml'), 'edited');
    expect(writeManifests(FILES, out)).toEqual({ written: ['a.yaml'], unchanged: ['sub/b.yaml'] });
  });

  test('writeManifests does not write files that differ only in CRLF line ends, as after a checkout on Windows', () => {
    writeManifests(FILES, out);
    writeFileSync(join(out, 'a.yaml'), 'a: 1\r\n');
    expect(writeManifests(FILES, out).written).toEqual([]);
    expect(diffManifests(FILES, out)).toBe('');
  });

  test('writeManifests keeps other files', () => {
    mkdirSync(out);
    writeFileSync(join(out, 'README.md'), 'mine');
    writeManifests(FILES, out);
    expect(readFileSync(join(out, 'README.md'), 'utf8')).toBe('mine');
  });

  test('writeManifests replaces a link instead of writing to its target', () => {
    mkdirSync(out);
    writeFileSync(join(folder, 'elsewhere'), 'mine');
    symlinkSync(join(folder, 'elsewhere'), join(out, 'a.yaml'));
    writeManifests(FILES, out);
    expect(readFileSync(join(folder, 'elsewhere'), 'utf8')).toBe('mine');
    expect(readFileSync(join(out, 'a.yaml'), 'utf8')).toBe('a: 1\n');
  });

  test('writeManifests rejects a folder that links outside, before anything is written', () => {
    mkdirSync(out);
    mkdirSync(join(folder, 'elsewhere'));
    symlinkSync(join(folder, 'elsewhere'), join(out, 'sub'));
    expect(() => writeManifests(FILES, out)).toThrow(/sub is outside of/);
    expect(readdirSync(out)).toEqual(['sub']);
  });

  test('writeManifests follows a link that is the output folder itself', () => {
    mkdirSync(join(folder, 'elsewhere'));
    symlinkSync(join(folder, 'elsewhere'), out);
    writeManifests(FILES, out);
    expect(readdirSync(join(folder, 'elsewhere'))).toEqual(['a.yaml', 'sub']);
  });

  test.each(['../x.yaml', '/../../x.yaml', 'sub/../../x.yaml', '..', '.', 'a\0.yaml'])(
    'writeManifests rejects the path %j',
    (path) => {
      expect(() => writeManifests([{ path, content: '' }], out)).toThrow('is outside of');
    },
  );

  test('writeManifests reports a file in the place of a folder', () => {
    writeFileSync(out, '');
    expect(() => writeManifests(FILES, out)).toThrow(`${out} is not a folder`);
  });

  test('writeManifests reports a folder in the place of a file', () => {
    mkdirSync(join(out, 'a.yaml'), { recursive: true });
    expect(() => writeManifests(FILES, out)).toThrow('a.yaml is a folder, but a file is to be written there');
  });

  test('writeManifests names the path that cannot be written and the reason', () => {
    writeFileSync(join(folder, 'file'), '');
    expect(() => writeManifests(FILES, join(folder, 'file', 'out'))).toThrow(
      /a file exists where a folder is required$/,
    );
  });
});

describe('diffManifests', () => {
  test('diffManifests is empty when all files are up to date', () => {
    writeManifests(FILES, out);
    expect(diffManifests(FILES, out)).toBe('');
  });

  test('diffManifests shows the changes that writing would make, and writes nothing', () => {
    writeManifests(FILES.slice(0, 1), out);
    writeFileSync(join(out, 'a.yaml'), 'a: 2\n');
    expect(diffManifests(FILES, out)).toBe(
      '--- a/a.yaml\n+++ b/a.yaml\n@@ -1,1 +1,1 @@\n-a: 2\n+a: 1\n' +
        '--- /dev/null\n+++ b/sub/b.yaml\n@@ -0,0 +1,1 @@\n+b: 1\n',
    );
    expect(readdirSync(out)).toEqual(['a.yaml']);
  });
});

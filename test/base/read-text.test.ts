import { afterAll, expect, test } from '@jest/globals';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readText } from '../../src/base/read-text.js';

const folder = mkdtempSync(join(tmpdir(), 'read-text-'));
const file = join(folder, 'notes.txt');
afterAll(() => {
  rmSync(folder, { recursive: true });
});

test('a file is read without its byte order mark', () => {
  writeFileSync(file, '\ufeffcaf\u00e9\n');
  expect(readText(file)).toBe('caf\u00e9\n');
});

test('a file that is not UTF-8 is an error that names the file and the line', () => {
  writeFileSync(file, Buffer.from('first: \u0041\nsecond: caf\u00e9\nthird\n', 'latin1'));
  expect(() => readText(file)).toThrow(
    expect.objectContaining({ code: 'E_NO_FILE', message: `${file}:2: not valid UTF-8`, hint: expect.any(String) }),
  );
});

test('errors of the file system are not changed', () => {
  expect(() => readText(join(folder, 'missing'))).toThrow(expect.objectContaining({ code: 'ENOENT' }));
});

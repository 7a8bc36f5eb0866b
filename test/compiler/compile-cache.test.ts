import { mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { FakeClock } from '../../src/base/fake-clock.js';
import { CompileCache } from '../../src/compiler/compile-cache.js';

const DAY_MS = 24 * 60 * 60 * 1000;

describe('CompileCache', () => {
  let folder: string;
  let cache: CompileCache;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'compile-cache-'));
    cache = new CompileCache(folder, 'v1', new FakeClock(Date.now()));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  test('the compile cache returns stored entries', () => {
    cache.put('/a.ts', 'source', 'code\nof two lines');
    expect(cache.get('/a.ts', 'source')).toBe('code\nof two lines');
  });

  test.each([
    ['another source', '/a.ts', 'changed', 'v1'],
    ['another file', '/b.ts', 'source', 'v1'],
    ['another compiler', '/a.ts', 'source', 'v2'],
  ])('the compile cache has no entry for %s', (_what, path, source, versions) => {
    cache.put('/a.ts', 'source', 'code');
    expect(new CompileCache(folder, versions, new FakeClock()).get(path, source)).toBeUndefined();
  });

  test.each([
    ['cut short', (entry: string) => entry.slice(0, -1)],
    ['changed', (entry: string) => entry.replace('code', 'evil')],
    ['empty', () => ''],
  ])('the compile cache ignores an entry that is %s', (_what, damage) => {
    cache.put('/a.ts', 'source', 'code');
    const path = join(folder, readdirSync(folder)[0]!);
    writeFileSync(path, damage(readFileSync(path, 'utf8')));
    expect(cache.get('/a.ts', 'source')).toBeUndefined();
  });

  test('the compile cache keeps one entry for each file', () => {
    for (const source of ['one', 'two', 'three']) cache.put('/a.ts', source, 'code');
    cache.put('/b.ts', 'one', 'code');
    expect(readdirSync(folder)).toHaveLength(2);
  });

  test('the compile cache drops entries of files that were not compiled for 30 days', () => {
    const old = join(folder, 'of-a-file-that-is-gone.js');
    writeFileSync(old, '');
    utimesSync(old, new Date(), new Date(Date.now() - 31 * DAY_MS));
    cache.put('/a.ts', 'source', 'code');
    expect(readdirSync(folder)).toHaveLength(1);
  });

  test('the compile cache creates a missing folder', () => {
    const inner = new CompileCache(join(folder, 'x', 'y'), 'v1', new FakeClock());
    inner.put('/a.ts', 'source', 'code');
    expect(inner.get('/a.ts', 'source')).toBe('code');
  });

  test('a cache folder that cannot be created is ignored', () => {
    writeFileSync(join(folder, 'file'), '');
    const impossible = new CompileCache(join(folder, 'file'), 'v1', new FakeClock());
    expect(() => impossible.put('/a.ts', 'source', 'code')).not.toThrow();
    expect(impossible.get('/a.ts', 'source')).toBeUndefined();
  });
});

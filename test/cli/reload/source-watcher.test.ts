import { mkdirSync, mkdtempSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { SystemClock } from '../../../src/base/system-clock.js';
import { SourceWatcher } from '../../../src/cli/reload/source-watcher.js';
import { eventually } from '../../../src/testing/eventually.js';

let folder: string;
let watcher: SourceWatcher;
/** The names of the files of each report. */
let reports: string[][];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'source-watcher-'));
  reports = [];
  save('operator.ts', 'one');
  save('text.json', '{}');
  watcher = new SourceWatcher({
    clock: new SystemClock(),
    onChange: (paths) => reports.push([...paths].map((path) => basename(path)).sort()),
  });
  watcher.watch([join(folder, 'operator.ts')], [folder]);
});
afterEach(() => {
  watcher.close();
  rmSync(folder, { recursive: true });
});

function save(name: string, text: string): void {
  writeFileSync(join(folder, name), text);
}
/** Waits until a file that is saved last is reported, so that everything before was seen. */
async function seenUntilNow(): Promise<string[]> {
  save('last.ts', String(reports.length));
  await eventually(() => expect(reports.flat()).toContain('last.ts'));
  return reports.flat().filter((name) => name !== 'last.ts');
}

describe('SourceWatcher', () => {
  test('reports a file with other contents', async () => {
    save('operator.ts', 'two');
    await eventually(() => expect(reports).toEqual([['operator.ts']]));
    save('operator.ts', 'three');
    await eventually(() => expect(reports).toEqual([['operator.ts'], ['operator.ts']]));
  });

  test('reports a file that an editor replaces by another one', async () => {
    save('operator.ts.tmp', 'two');
    renameSync(join(folder, 'operator.ts.tmp'), join(folder, 'operator.ts'));
    await eventually(() => expect(reports.flat()).toContain('operator.ts'));
  });

  test('reports a file once that is emptied and then written', async () => {
    save('operator.ts', '');
    save('operator.ts', 'two');
    expect(await seenUntilNow()).toEqual(['operator.ts']);
  });

  test('reports a deleted file', async () => {
    rmSync(join(folder, 'operator.ts'));
    await eventually(() => expect(reports).toEqual([['operator.ts']]));
  });

  test('reports no file with the same contents', async () => {
    save('operator.ts', 'one');
    utimesSync(join(folder, 'operator.ts'), new Date(), new Date());
    expect(await seenUntilNow()).toEqual([]);
  });

  test('reports new source files of its folders, and no other new files', async () => {
    save('new.ts', 'new');
    save('new.txt', 'new');
    expect(await seenUntilNow()).toEqual(['new.ts']);
  });

  test('reports files of folders that are watched later', async () => {
    const lib = join(folder, 'lib');
    mkdirSync(lib);
    writeFileSync(join(lib, 'a.ts'), 'one');
    watcher.watch([join(lib, 'a.ts')]);
    writeFileSync(join(lib, 'a.ts'), 'two');
    await eventually(() => expect(reports.flat()).toContain('a.ts'));
  });

  test('names a folder that cannot be watched', () => {
    expect(() => watcher.watch([], [join(folder, 'missing')])).toThrow(/cannot watch .*missing/);
  });
});

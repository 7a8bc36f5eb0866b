import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { ApiObject } from '../../../src/apiserver/objects/api-object.js';
import { ObjectStore } from '../../../src/apiserver/storage/object-store.js';
import { SqliteJournal } from '../../../src/apiserver/storage/sqlite-journal.js';
import { CONFIG_MAPS, configMap, TestServer } from '../api-client.js';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'journal-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

const object = (name: string): ApiObject => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } });

function open(dataDir = folder): { store: ObjectStore; journal: SqliteJournal } {
  const journal = new SqliteJournal(dataDir);
  const store = new ObjectStore({ journal: (collection, event) => journal.write(collection, event) });
  journal.restore(store);
  return { store, journal };
}

test('objects are restored after a restart at the same revision', () => {
  const first = open();
  first.store.put('c', 'a', object('a'));
  first.store.put('c', 'b', object('b'));
  first.store.remove('c', 'a');
  const { revision } = first.store;
  first.journal.close();
  const second = open();
  const keys = [...second.store.collection('c').range('')].map(({ key }) => key);
  second.journal.close();
  expect([keys, second.store.revision]).toEqual([['b'], revision]);
});

test('a write is on disk before it is acknowledged', () => {
  const writer = open();
  writer.store.put('c', 'a', object('a'));
  const copy = join(folder, 'copy'); // of files that the writer has not closed, as a kill leaves them
  mkdirSync(copy);
  for (const name of ['kindwright.db', 'kindwright.db-wal']) cpSync(join(folder, name), join(copy, name));
  const reader = open(copy);
  const found = reader.store.get('c', 'a');
  writer.journal.close();
  reader.journal.close();
  expect(found?.object.metadata.name).toBe('a');
});

test('writes of one batch are stored completely or not at all', () => {
  const first = open();
  first.journal.writeAtStart(() => first.store.put('c', 'a', object('a')));
  const fail = (): void => {
    first.store.put('c', 'b', object('b'));
    throw new Error('full');
  };
  expect(() => first.journal.writeAtStart(fail)).toThrow(
    expect.objectContaining({
      message: expect.stringContaining('kindwright.db cannot be written: full'),
      hint: 'free disk space, then start the server again',
    }),
  );
  first.journal.close();
  const second = open();
  const keys = [...second.store.collection('c').range('')].map(({ key }) => key);
  second.journal.close();
  expect(keys).toEqual(['a']);
});

test('a watch from before a restart has to list again', () => {
  const first = open();
  first.store.put('c', 'a', object('a'));
  first.store.put('c', 'b', object('b'));
  first.journal.close();
  const second = open();
  second.journal.close();
  expect(() => second.store.collection('c').since(2)).toThrow('too old resource version');
});

test('the file of the journal is readable only by its owner', () => {
  open().journal.close();
  expect(statSync(join(folder, 'kindwright.db')).mode & 0o777).toBe(0o600);
});

test('a folder that cannot be used is an error that names it', () => {
  const file = join(folder, 'file');
  writeFileSync(file, '');
  expect(() => new SqliteJournal(file)).toThrow(`${file}/kindwright.db cannot be opened`);
});

test('a folder is used by one server at a time', () => {
  const first = open();
  expect(() => open()).toThrow(`${folder}/kindwright.db is in use by another server`);
  first.journal.close();
  expect(() => open().journal.close()).not.toThrow();
});

test('a file of another program is left unchanged', () => {
  writeFileSync(join(folder, 'kindwright.db'), 'a diary, '.repeat(100));
  expect(() => open()).toThrow(`${folder}/kindwright.db is damaged: file is not a database`);
  expect(readFileSync(join(folder, 'kindwright.db'), 'utf8')).toMatch(/^a diary/);
});

test.each([
  ['PRAGMA user_version = 1', 'was written by a later version of kindwright'],
  ['CREATE TABLE objects (name TEXT)', 'is damaged: table objects has 1 columns'],
])('a folder of another version is left unchanged: %s', (statement, problem) => {
  const file = join(folder, 'kindwright.db');
  const other = new DatabaseSync(file);
  other.exec(statement);
  other.close();
  expect(() => open()).toThrow(`${file} ${problem}`);
  expect(() => open()).toThrow(`${file} ${problem}`);
});

test('a damaged page of the database is reported', () => {
  const first = open();
  for (let index = 0; index < 100; index++) first.store.put('c', `key-${index}`, object(`key-${index}`));
  first.journal.close();
  const file = join(folder, 'kindwright.db');
  const bytes = readFileSync(file);
  writeFileSync(file, bytes.fill('garbage', 4096));
  expect(() => open()).toThrow(`${file} is damaged: `);
  expect(readFileSync(file)).toEqual(bytes);
});

describe('the log of a killed server', () => {
  const names = Array.from({ length: 30 }, (_, index) => `key-${String(index).padStart(2, '0')}`);
  let log: Buffer;
  let logFile: string;

  beforeEach(() => {
    const writer = open();
    for (const name of names) writer.store.put('c', name, object(name));
    cpSync(join(folder, 'kindwright.db'), join(folder, 'copy.db'));
    log = readFileSync(join(folder, 'kindwright.db-wal'));
    writer.journal.close();
    logFile = join(folder, 'kindwright.db-wal');
  });

  /** The keys a server finds when the last one left this log. */
  function found(left: Buffer): string[] {
    cpSync(join(folder, 'copy.db'), join(folder, 'kindwright.db'));
    writeFileSync(logFile, left);
    const { store, journal } = open();
    journal.close();
    return [...store.collection('c').range('')].map(({ key }) => key);
  }

  test('the log of a killed server contains every write', () => {
    expect(found(log)).toEqual(names);
  });

  test('a journal truncated at any byte contains complete writes up to some revision', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: log.length - 1 }), (length) => {
        const keys = found(log.subarray(0, length));
        expect(keys).toEqual(names.slice(0, keys.length));
      }),
      { numRuns: 10 }, // each waits for the disk
    );
  });

  test('a log with garbage before its last write is rejected and left unchanged', () => {
    const frames = (log.length - 32) / (24 + 4096);
    const lastTwoCommits = 4 * (24 + 4096);
    expect(frames).toBeGreaterThanOrEqual(names.length);
    fc.assert(
      fc.property(fc.integer({ min: 0, max: log.length - lastTwoCommits - 8 }), (offset) => {
        const damaged = Buffer.from(log);
        damaged.fill('garbage!', offset, offset + 8);
        expect(() => found(damaged)).toThrow(`${logFile} is damaged: writes would be lost`);
        expect(readFileSync(logFile).equals(damaged)).toBe(true);
      }),
      { numRuns: 30 },
    );
  });

  test('a log with garbage in its last write loses only that write', () => {
    const damaged = Buffer.from(log);
    damaged.fill('garbage!', log.length - 8);
    expect(found(damaged)).toEqual(names.slice(0, -1));
  });
});

test('a restarted server has its objects but not its token', async () => {
  const first = await TestServer.start({ dataDir: folder });
  const made = await first.send('POST', CONFIG_MAPS, configMap('kept', { a: '1' }));
  await first.stop();
  const second = await TestServer.start({ dataDir: folder });
  const found = await second.send('GET', `${CONFIG_MAPS}/kept`);
  await second.stop();
  expect([found.body.metadata!.uid, second.server.token === first.server.token]).toEqual([
    made.body.metadata!.uid,
    false,
  ]);
});

import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { FakeClock } from '../../../src/base/fake-clock.js';
import { silentLogger } from '../../../src/base/logger.js';
import { AccessRecordFile, readAccessRecord } from '../../../src/client/access/access-record-file.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'accesses-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

const path = (name = 'rbac.yaml') => join(folder, name);
const podsIn = (namespace: string | undefined, verb = 'list') => ({
  verb,
  group: '',
  resource: 'pods',
  namespace,
  url: undefined,
});
const open = (file = path(), clock = new FakeClock()) => AccessRecordFile.open(file, { clock, logger: silentLogger });

describe('a record of accesses', () => {
  test.each(['rbac.yaml', 'rbac.json', 'new/folder/rbac.yaml'])(
    'a record of accesses in %s adds up over runs',
    (name) => {
      const first = open(path(name));
      first.record.listener('operator')(podsIn('b'));
      first.close();
      const second = open(path(name));
      second.record.listener('operator')(podsIn('a'));
      second.record.listener('manager')(podsIn(undefined, 'watch'));
      second.close();
      expect(readAccessRecord(path(name))).toEqual([
        { by: 'operator', group: '', resource: 'pods', url: undefined, verb: 'list', namespaces: ['a', 'b'] },
        { by: 'manager', group: '', resource: 'pods', url: undefined, verb: 'watch', namespaces: [''] },
      ]);
    },
  );

  test('a record of accesses keeps what another run adds in the meantime', () => {
    const [one, other] = [open(), open()];
    one.record.listener('operator')(podsIn('a'));
    other.record.listener('operator')(podsIn('b'));
    one.close();
    other.close();
    expect(readAccessRecord(path())?.[0]?.namespaces).toEqual(['a', 'b']);
  });

  test('a record of accesses is written one second after a new access, without a temporary file left behind', async () => {
    const clock = new FakeClock();
    const file = open(path(), clock);
    file.record.listener('operator')(podsIn('a'));
    expect(readAccessRecord(path())).toEqual([]);
    await clock.advance(1000);
    expect(readAccessRecord(path())).toHaveLength(1);
    expect(readdirSync(folder)).toEqual(['rbac.yaml']);
  });

  test('a record of accesses attributes the requests of the event recorder to the manager', () => {
    const file = open();
    file.record.listener('operator')({ ...podsIn('a', 'create'), group: 'events.k8s.io', resource: 'events' });
    expect(file.record.entries()).toMatchObject([{ resource: 'events', by: 'manager' }]);
  });

  test('a record of accesses is JSON if the name of its file ends in .json', () => {
    open(path('rbac.json')).close();
    expect(JSON.parse(readFileSync(path('rbac.json'), 'utf8'))).toEqual({ accesses: [] });
  });

  test('a file that is not a record of accesses is refused and left unchanged', () => {
    writeFileSync(path(), 'kind: Role\n');
    expect(() => open()).toThrow(/rbac\.yaml is not a record of requests/);
    expect(readFileSync(path(), 'utf8')).toBe('kind: Role\n');
  });

  test('a record of accesses that cannot be written is refused immediately', () => {
    writeFileSync(path('file'), '');
    expect(() => open(path('file/rbac.yaml'))).toThrow(/file\/rbac\.yaml.*ENOTDIR/);
    expect(existsSync(path())).toBe(false);
  });
});

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { readRecord, recordFile, RECORD_PATH } from '../../../src/cli/scaffold/scaffold-record.js';

const kind = { group: 'g.example.com', version: 'v1', kind: 'K', plural: 'ks', scope: 'Cluster' } as const;
const step = { command: 'create version', kind, hasPlural: false } as const;

describe('the record of a scaffold', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'kindwright-record-'));
    mkdirSync(join(folder, '.kindwright'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));
  const write = (content: string) => writeFileSync(join(folder, RECORD_PATH), content);

  test('readRecord returns what recordFile contains, also with Windows line endings', () => {
    const record = { steps: [{ version: '1.0.0', step }], files: new Map([['a', 'x\ny\n']]) };
    const { content } = recordFile(record);
    write(content);
    expect(readRecord(folder)).toEqual(record);
    write(content.replaceAll('\n', '\r\n'));
    expect(readRecord(folder)).toEqual(record);
  });

  test('readRecord returns undefined without a record', () => {
    expect(readRecord(folder)).toBeUndefined();
  });

  const withStep = (changed: object) => ({ format: 1, steps: [{ version: '1.0.0', step: changed }], files: {} });
  test.each([
    '{',
    '[]',
    '{ "format": 1, "steps": [] }',
    '{ "format": 1, "steps": [], "files": { "a": 1 } }',
    JSON.stringify(withStep({ ...step, kind: { ...kind, plural: '' } })),
    JSON.stringify(withStep({ ...step, command: 'toString' })),
    JSON.stringify(withStep({ command: 'create webhook', file: 'a.ts' })),
  ])('readRecord rejects the damaged record %s', (content) => {
    write(content);
    expect(() => readRecord(folder)).toThrow(/scaffold\.json is damaged$/);
  });

  test('readRecord rejects a record with the format of a newer version', () => {
    write('{ "format": 2, "projects": [] }');
    expect(() => readRecord(folder)).toThrow(/scaffold\.json was written by a newer version of kindwright$/);
  });
});

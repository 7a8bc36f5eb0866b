import { expect, test } from '@jest/globals';
import { builtinColumns } from '../../../src/apiserver/table/builtin-columns.js';

const METADATA = { name: 'one', creationTimestamp: '2026-01-01T00:00:00Z' };
const NOW = Date.parse('2026-01-01T00:01:00Z');

function row(group: string, version: string, kind: string, object: object): unknown[] {
  const whole = { apiVersion: version, kind, metadata: METADATA, ...object };
  return builtinColumns(group, version, kind).map(({ cell }) => cell(whole, NOW));
}

test('the table of an Ingress shows its hosts and ports', () => {
  const spec = { rules: [{ host: 'a' }, { host: 'b' }, { host: 'c' }, { host: 'd' }], tls: [{}] };
  expect(row('networking.k8s.io', 'v1', 'Ingress', { spec })).toEqual([
    'one',
    '<none>',
    'a,b,c + 1 more...',
    '',
    '80, 443',
    '60s',
  ]);
});

test('the table of a PodDisruptionBudget shows N/A for the bound it does not have', () => {
  expect(row('policy', 'v1', 'PodDisruptionBudget', { spec: { minAvailable: 1 } })).toEqual([
    'one',
    '1',
    'N/A',
    0,
    '60s',
  ]);
});

test('the table of a ResourceQuota shows limits separately from requests', () => {
  const status = { hard: { 'limits.cpu': '2', pods: '10' }, used: { pods: '3' } };
  expect(row('', 'v1', 'ResourceQuota', { status })).toEqual(['one', 'pods: 3/10', 'limits.cpu: 0/2', '60s']);
});

test.each([
  [{ kind: 'Pod', name: 'web' }, 'pod/web'],
  [{ kind: 'Pod' }, 'pod'],
  [{ name: 'web' }, '/web'],
])('the table of an Event about %j shows %s', (involvedObject, shown) => {
  expect(row('', 'v1', 'Event', { involvedObject })[3]).toBe(shown);
});

test('a kind without printer columns has the columns name and age', () => {
  expect(row('', 'v1', 'Unheard', {})).toEqual(['one', '60s']);
});

import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { AdmissionSuite } from '../../e2e/admission/admission-suite.js';

let suite: AdmissionSuite;
beforeAll(async () => {
  suite = await AdmissionSuite.start();
});
afterAll(() => suite.stop());

/** What cannot be seen, what can, and what Go escapes in a way of its own. */
const TEXT = 'é\u0001\u007f\u200b\ufeff\u{e0001}😀\t"\\\v';
const MAPS = '/api/v1/namespaces/default/configmaps';
const escaped = encodeURIComponent(TEXT);
const map = (metadata: object, more: object = {}): object => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata,
  ...more,
});
const apply = 'application/apply-patch+yaml';

const REQUESTS: readonly (readonly [what: string, method: string, path: string, body?: object, type?: string])[] = [
  ['the name of what is not there', 'GET', `${MAPS}/${escaped}`],
  ['the name of what is deleted', 'DELETE', `${MAPS}/${escaped}`],
  ['the name of a new object', 'POST', MAPS, map({ name: TEXT })],
  ['the name of an applied object', 'PATCH', `${MAPS}/${escaped}?fieldManager=m`, map({}), apply],
  ['a label', 'POST', MAPS, map({ name: 'x', labels: { [TEXT]: TEXT } })],
  ['an annotation', 'POST', MAPS, map({ name: 'x', annotations: { [TEXT]: 'y' } })],
  ['a finalizer', 'POST', MAPS, map({ name: 'x', finalizers: [TEXT] })],
  ['a namespace', 'POST', MAPS, map({ name: 'x', namespace: TEXT })],
  ['an unknown field', 'POST', `${MAPS}?fieldValidation=Strict`, map({ name: 'x' }, { [TEXT]: 1 })],
  ['a key', 'POST', MAPS, map({ name: 'x' }, { data: { [TEXT]: 'y' } })],
  ['a kind', 'POST', MAPS, { apiVersion: 'v1', kind: TEXT, metadata: { name: 'x' } }],
  ['a version', 'POST', MAPS, { apiVersion: TEXT, kind: 'ConfigMap', metadata: { name: 'x' } }],
  ['a label selector', 'GET', `${MAPS}?labelSelector=${escaped}`],
  ['a value of a label selector', 'GET', `${MAPS}?labelSelector=${encodeURIComponent('a in (é\u200b)')}`],
  ['a field selector', 'GET', `${MAPS}?fieldSelector=${encodeURIComponent(`metadata.name!=${TEXT},é\u200b=x`)}`],
  ['a version to list at', 'GET', `${MAPS}?resourceVersion=${escaped}`],
  ['a number of items', 'GET', `${MAPS}?limit=${escaped}`],
  ['a time limit', 'GET', `${MAPS}?timeout=${encodeURIComponent('1é\u200b')}`],
  ['a timeout that is not a number', 'GET', `${MAPS}?timeout=${escaped}`],
  ['a field manager', 'POST', `${MAPS}?fieldManager=${escaped}`, map({ name: 'x' })],
  ['a propagation policy', 'DELETE', `${MAPS}/x?propagationPolicy=${escaped}`],
  ['a time', 'POST', MAPS, map({ name: 'x', creationTimestamp: TEXT })],
  [
    'a value of an enumeration',
    'POST',
    '/api/v1/namespaces/default/services',
    { apiVersion: 'v1', kind: 'Service', metadata: { name: 'x' }, spec: { type: TEXT, ports: [{ port: 1 }] } },
  ],
  [
    'a quantity',
    'POST',
    '/api/v1/namespaces/default/resourcequotas',
    { apiVersion: 'v1', kind: 'ResourceQuota', metadata: { name: 'x' }, spec: { hard: { [TEXT]: '1' } } },
  ],
];

const cases = REQUESTS.map(([what, ...request]) => [what, request] as const);

test.each(cases)('the error for %s with special characters quotes it as Go does', async (_what, request) => {
  const { code, body } = await suite.send(...request);
  expect([code, body.message]).toMatchSnapshot();
});

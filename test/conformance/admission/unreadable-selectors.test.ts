import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { AdmissionSuite, text } from '../../e2e/admission/admission-suite.js';

let suite: AdmissionSuite;
beforeAll(async () => {
  suite = await AdmissionSuite.start();
});
afterAll(() => suite.stop());

const SELECTORS = [
  ['an invalid value', { matchLabels: { a: '%s' } }],
  ['an unknown operator', { matchExpressions: [{ key: 'a', operator: 'Like', values: ['b'] }] }],
  ['too many values', { matchExpressions: [{ key: 'a', operator: 'Exists', values: ['b'] }] }],
] as const;
const template = {
  metadata: { labels: { other: '%s' } },
  spec: { restartPolicy: 'Never', activeDeadlineSeconds: 1, containers: [{ name: 'c', image: 'i' }] },
};

const KINDS: readonly (readonly [apiVersion: string, kind: string, more: object])[] = [
  ['apps/v1', 'Deployment', {}],
  ['apps/v1', 'ReplicaSet', {}],
  ['apps/v1', 'StatefulSet', {}],
  ['apps/v1', 'DaemonSet', {}],
  ['batch/v1', 'Job', { manualSelector: true }],
  ['batch/v1', 'Job', {}],
];
const cases = KINDS.flatMap(([apiVersion, kind, more]) =>
  SELECTORS.map(([what, selector]) => {
    const beside = Object.keys(more).join() || 'nothing else';
    return [kind, what, beside, { apiVersion, kind, spec: { selector, template, ...more } }] as const;
  }),
);

test.each(cases)('a %s with %s in its selector, and %s, is refused', async (kind, _what, _beside, object) => {
  const path = `/apis/${object.apiVersion}/namespaces/default/${kind.toLowerCase()}s`;
  const refused = await suite.send('POST', path, { metadata: { name: 'x' }, ...object });
  expect(refused.code).toBe(422);
  expect(text(refused.body.message).replace(/[0-9a-f-]{36}/g, '<uid>')).toMatchSnapshot();
});

import { expect, test } from '@jest/globals';
import { describeChange } from '../../../src/cli/demo/showcase.js';

const metadata = { name: 'example' };
const scaledTo = (replicas: number) => ({ metadata, spec: { replicas } });

test.each([
  ['ADDED', undefined, scaledTo(3), 'created'],
  ['DELETED', scaledTo(3), scaledTo(3), 'deleted'],
  ['MODIFIED', scaledTo(3), scaledTo(7), 'scaled from 3 to 7'],
  ['MODIFIED', scaledTo(3), scaledTo(3), undefined],
  ['MODIFIED', { metadata }, { metadata }, undefined],
] as const)('the demo describes a change: %s from %j to %j: %s', (type, before, object, news) => {
  expect(describeChange(type, before, object)).toBe(news);
});

import { expect, test } from '@jest/globals';
import { covers } from '../../../src/api/access/rule-covers.js';

const covered = (pattern: string, url: string): boolean =>
  covers({ verbs: ['get'], nonResourceURLs: [pattern] }, { verb: 'get', group: '', resource: '', url });

test('a star at the end of a non-resource URL matches every URL with the prefix', () => {
  expect(covered('/healthz*', '/healthz/etcd')).toBe(true);
  expect(covered('/healthz/*', '/healthz')).toBe(false);
  expect(covered('/heal*z', '/healthz')).toBe(false);
});

test('several stars at the end of a non-resource URL match like one, as Kubernetes trims all of them', () => {
  expect(covered('/healthz**', '/healthz/etcd')).toBe(true);
  expect(covered('**', '/metrics')).toBe(true);
});

test('a rule for all subresources of a name covers that subresource of every resource', () => {
  const rule = { verbs: ['update'], apiGroups: ['apps'], resources: ['*/scale'] };
  const target = { verb: 'update', group: 'apps' };
  expect(covers(rule, { ...target, resource: 'deployments/scale' })).toBe(true);
  expect(covers(rule, { ...target, resource: 'deployments' })).toBe(false);
});

test('a rule whose lists are null covers nothing', () => {
  const rule = { verbs: ['get'], apiGroups: null, resources: null, nonResourceURLs: null };
  expect(covers(rule, { verb: 'get', group: '', resource: 'pods' })).toBe(false);
  expect(covers(rule, { verb: 'get', group: '', resource: '', url: '/metrics' })).toBe(false);
});

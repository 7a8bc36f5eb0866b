import { expect, test } from '@jest/globals';
import type { InformerFactory } from '../../src/cache/informer-factory.js';
import type { Client } from '../../src/client/client.js';
import { assertSelection } from '../../src/manager/namespace-selection.js';

const client = {} as Client;
const informers = {} as InformerFactory;

test.each([
  [{ namespaces: ['a'], namespaceSelector: 'team=x' }, false, 'namespaces are both named and selected'],
  [{ informers, namespacePatterns: ['team-*'] }, false, 'the given informers have a scope of their own'],
  [{ namespaceSelector: 'team=x' }, true, 'namespaces cannot be selected for classes with clusters'],
  [{ namespacePatterns: ['Team'] }, false, '"Team" is not a pattern of namespace names'],
])('options that contradict a selection of namespaces are an error: %#', (options, hasClusters, message) => {
  expect(() => {
    assertSelection({ client, ...options }, hasClusters);
  }).toThrow(expect.objectContaining({ code: 'E_MANAGER', message, hint: expect.any(String) }));
});

test('a selection alone, and none, are no error', () => {
  assertSelection({ client, namespaceSelector: 'team=x', namespacePatterns: ['*'] }, false);
  assertSelection({ client, namespaces: ['a'] }, true);
});

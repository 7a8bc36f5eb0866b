import { expect, test } from '@jest/globals';
import type { CustomResourceDefinition } from '../../src/api/kinds/kinds.js';
import { storageChanges } from '../../src/evolution/storage-changes.js';

/** A definition with the given versions; the storage version ends with `*`. */
function definition(name: string, ...versions: string[]): CustomResourceDefinition {
  return {
    metadata: { name },
    spec: { versions: versions.map((each) => ({ name: each.replace('*', ''), storage: each.endsWith('*') })) },
  } as CustomResourceDefinition;
}

test.each([
  [['v1*'], ['v1*'], []],
  [['v1*'], ['v1*', 'v2'], []],
  [['v1*', 'v2'], ['v1', 'v2*'], [{ from: 'v1', to: 'v2', isNew: false, isRemoved: false }]],
  [['v1*'], ['v1', 'v2*'], [{ from: 'v1', to: 'v2', isNew: true, isRemoved: false }]],
  [['v1*', 'v2'], ['v2*'], [{ from: 'v1', to: 'v2', isNew: false, isRemoved: true }]],
  [['v1', 'v2*'], ['v1*', 'v2'], [{ from: 'v2', to: 'v1', isNew: false, isRemoved: false }]],
])('a definition with versions %j that is followed by one with %j has the storage changes %j', (old, next, changes) => {
  const published = [definition('other.example.com', 'v3*'), definition('a.example.com', ...old)];
  expect(storageChanges(published, [definition('a.example.com', ...next)])).toEqual(
    changes.map((change) => ({ definition: 'a.example.com', ...change })),
  );
});

test('a new definition changes no storage version', () => {
  expect(storageChanges([], [definition('a.example.com', 'v1*')])).toEqual([]);
});

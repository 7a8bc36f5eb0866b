import { expect, test } from '@jest/globals';
import type { KubeObject } from '../../../src/api/objects/kube-object.js';
import type { ObjectEvent } from '../../../src/api/events/object-event.js';
import type { EventCause } from '../../../src/api/reconcile/reconcile-observer.js';
import { ConfigMap } from '../../../src/api/kinds/kinds.js';
import { OwnWrites } from '../../../src/controller/run/own-writes.js';

const run = { id: 'r1', controller: 'podset', key: 'team/a' };
const object = (resourceVersion: string, metadata: Partial<KubeObject['metadata']> = {}): KubeObject => ({
  metadata: { name: 'web', uid: 'u1', resourceVersion, ...metadata },
});
const cause = (event: ObjectEvent): EventCause => ({
  type: 'event',
  source: '@Owns(ConfigMap)',
  kind: ConfigMap,
  event,
});

test('an event with the resourceVersion of a write is attributed to the run of the write', () => {
  const writes = new OwnWrites();
  writes.wrote(object('7'), run);
  expect(writes.runOf(cause({ type: 'update', old: object('6'), object: object('7') }))).toEqual(run);
});

test('an event with another resourceVersion, or of another object with the same one, is not', () => {
  const writes = new OwnWrites();
  writes.wrote(object('7'), run);
  expect(writes.runOf(cause({ type: 'update', old: object('7'), object: object('8') }))).toBeUndefined();
  expect(writes.runOf(cause({ type: 'add', isInitial: false, object: object('7', { uid: 'u2' }) }))).toBeUndefined();
});

test('both the start of a deletion and its end are attributed to the run that deleted', () => {
  const writes = new OwnWrites();
  writes.deleted('u1', run);
  const deleting = object('8', { deletionTimestamp: '2026-01-01T00:00:00Z' });
  expect(writes.runOf(cause({ type: 'update', old: object('7'), object: deleting }))).toEqual(run);
  expect(writes.runOf(cause({ type: 'delete', object: object('9') }))).toEqual(run);
  const labelled = object('10', { deletionTimestamp: '2026-01-01T00:00:00Z', labels: { a: '1' } });
  expect(writes.runOf(cause({ type: 'update', old: deleting, object: labelled }))).toBeUndefined();
});

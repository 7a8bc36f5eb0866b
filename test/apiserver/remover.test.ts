import { expect, test } from '@jest/globals';
import { Registry } from '../../src/apiserver/registry/registry.js';
import { Remover } from '../../src/apiserver/registry/remover.js';
import { builtinResources } from '../../src/apiserver/builtin/builtin-resources.js';
import { ObjectStore } from '../../src/apiserver/storage/object-store.js';
import { FakeClock } from '../../src/base/fake-clock.js';

const POD = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'unscheduled', namespace: 'default', uid: '1' } };

function stored(): { store: ObjectStore; remover: Remover; pods: Parameters<Remover['complete']>[0] } {
  const store = new ObjectStore();
  const pods = [...builtinResources()].find(({ plural, group }) => plural === 'pods' && group === '')!;
  store.put(pods.storage, 'default/unscheduled', POD);
  return { store, remover: new Remover(new Registry(store, new FakeClock())), pods };
}

test('a pod that no kubelet ends can be read until its grace period is over', () => {
  const { store, remover, pods } = stored();
  const { object } = remover.remove(pods, 'unscheduled', 'default', {}, undefined, { isInSteps: true });
  const { deletionTimestamp, deletionGracePeriodSeconds } = store.get('pods', 'default/unscheduled')!.object.metadata;
  expect([typeof deletionTimestamp, deletionGracePeriodSeconds]).toEqual(['string', 0]);
  remover.complete(pods, object);
  expect(store.get('pods', 'default/unscheduled')).toBeUndefined();
});

test('a deletion does not delete a new pod of the same name', () => {
  const { store, remover, pods } = stored();
  const { object } = remover.remove(pods, 'unscheduled', 'default', {}, undefined, { isInSteps: true });
  remover.remove(pods, 'unscheduled', 'default', {});
  store.put('pods', 'default/unscheduled', { ...POD, metadata: { ...POD.metadata, uid: '2' } });
  remover.complete(pods, object);
  expect(store.get('pods', 'default/unscheduled')?.object.metadata.uid).toBe('2');
});

test('the error of an Event that cannot be deleted has the core group in every group', () => {
  const store = new ObjectStore();
  const events = [...builtinResources()].find(({ plural, group }) => plural === 'events' && group !== '')!;
  const event = { apiVersion: 'v1', kind: 'Event', metadata: { name: 'e', namespace: 'default', uid: '1' } };
  store.put(events.storage, 'default/e', event);
  const remover = new Remover(new Registry(store, new FakeClock()));
  expect(() => remover.remove(events, 'e', 'default', { preconditions: { uid: '2' } })).toThrow(
    'Operation cannot be fulfilled on Event "e": the UID in the precondition (2) does not match',
  );
});

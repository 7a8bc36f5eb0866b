import { expect, test } from '@jest/globals';
import { describeCauses } from '../../../src/api/reconcile/describe-causes.js';
import { Pod } from '../../../src/api/kinds/kinds.js';
import type { KubeObject } from '../../../src/api/objects/kube-object.js';
import type { Cause, EventCause } from '../../../src/api/reconcile/reconcile-observer.js';

const pod = (change: object = {}, metadata: object = {}): KubeObject => ({
  metadata: { name: 'x', namespace: 'default', resourceVersion: '1', ...metadata },
  ...change,
});
const update = (old: KubeObject, object: KubeObject, byRun?: EventCause['byRun']): Cause => ({
  type: 'event',
  source: '@Watches(Pod)',
  kind: Pod,
  event: { type: 'update', old, object },
  ...(byRun && { byRun }),
});
const described = (causes: readonly Cause[], causesOmitted = 0) =>
  describeCauses({ causes, causesOmitted, controller: 'podset', key: 'default/web' });
const statusUpdate = update(pod(), pod({ status: { phase: 'Running' } }, { resourceVersion: '2' }));

test.each<[string, Cause]>([
  ['@Watches(Pod) update default/x (status)', statusUpdate],
  [
    '@Watches(Pod) update default/x (metadata.labels, spec)',
    update(pod({ spec: { a: 1 } }), pod({ spec: { a: 2 } }, { labels: { a: 'b' }, generation: 2 })),
  ],
  ['@Watches(Pod) update default/x (unchanged)', update(pod(), pod({}, { resourceVersion: '2' }))],
  [
    '@Owns(Pod) add default/x',
    { type: 'event', source: '@Owns(Pod)', kind: Pod, event: { type: 'add', isInitial: false, object: pod() } },
  ],
  ['@Owns(Pod) initial list', { type: 'initial', source: '@Owns(Pod)' }],
  ['requeueAfter 30000 ms', { type: 'timer', delayMs: 30_000 }],
  ['retry after conflict, attempt 3', { type: 'retry', reason: 'conflict', delayMs: 10, attempt: 3 }],
])('a cause is described as %s', (text, cause) => {
  expect(described([cause])).toBe(text);
});

test('the cause of an own change contains the reconcile', () => {
  const changed = pod({ spec: {} });
  const by = (controller: string, key: string) => described([update(pod(), changed, { id: 'r', controller, key })]);
  expect(by('podset', 'default/web')).toBe('@Watches(Pod) update default/x (spec) by its own write');
  expect(by('podset', 'default/b')).toBe('@Watches(Pod) update default/x (spec) by the reconcile of podset default/b');
});

test('equal causes are counted, including those that were not kept', () => {
  expect(described([statusUpdate, { type: 'timer', delayMs: 5 }, statusUpdate, statusUpdate], 12)).toBe(
    '@Watches(Pod) update default/x (status) x3; requeueAfter 5 ms; 12 more',
  );
});

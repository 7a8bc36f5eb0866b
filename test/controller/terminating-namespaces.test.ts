import { expect, test } from '@jest/globals';
import {
  Condition,
  ConfigMap,
  CustomResource,
  Dependent,
  Field,
  ForbiddenError,
  Kind,
  TerminalError,
} from 'kindwright';
import { FakeClock } from '../../src/base/fake-clock.js';
import type { Outcome } from '../../src/controller/run/outcome.js';
import { Workers } from '../../src/controller/workers.js';
import { RateLimitingQueue } from '../../src/queue/rate-limiting-queue.js';
import { buildResourceModels } from '../../src/resource/build-models.js';
import { RecordingLogger } from '../../src/testing/recording-logger.js';
import { startDependents } from './reconcile/dependents-run.js';
import { ControllerParts, Gizmo, gizmo, gizmoModel } from './gizmo.js';

const terminating = new ForbiddenError(
  'unable to create new content in namespace team because it is being terminated',
  {
    status: 403,
    reason: 'Forbidden',
    request: { method: 'POST', path: '/' },
    details: { causes: [{ reason: 'NamespaceTerminating', message: 'namespace team is being terminated' }] },
  },
);

test.each<[string, Error, string]>([
  ['a rejection by a terminating namespace', terminating, 'requeue'],
  ['an error that one has caused', new Error('failed', { cause: terminating }), 'requeue'],
  ['a TerminalError that one has caused', new TerminalError('no', { cause: terminating }), 'terminal'],
])('a reconcile that throws %s is retried without a failure, unless it is terminal', async (_, thrown, type) => {
  const parts = await ControllerParts.with([gizmoModel.kind, gizmo('a')]);
  Gizmo.behavior = () => {
    throw thrown;
  };
  expect((await parts.reconciler.reconcile(parts.request())).type).toBe(type);
  expect(parts.recorded).toHaveLength(type === 'terminal' ? 1 : 0);
  await parts.stop();
});

test('a reconcile that is rejected by a terminating namespace is retried after a second at the earliest', async () => {
  const clock = new FakeClock();
  const queue = new RateLimitingQueue({ name: 'gizmo', clock });
  let runs = 0;
  const reconcile = async (): Promise<Outcome> => {
    runs += 1;
    return { type: 'requeue', reason: 'terminating', why: 'terminating' };
  };
  queue.add('team/a');
  new Workers({ queue, clock, logger: new RecordingLogger(), reconcile, maxConcurrentReconciles: 1 }).start();
  await clock.advance(999);
  expect(runs).toBe(1);
  await clock.advance(1);
  expect(runs).toBe(2);
});

class Status {
  @Field({ items: Condition }) conditions?: Condition[];
}

/** Two dependents that a terminating namespace rejects, and one that fails for another reason if `failure` is set. */
@Kind({ group: 'test.kindwright.dev', version: 'v1', kind: 'Gizmo' })
abstract class Widget extends CustomResource {
  static failure: Error | undefined;
  @Field() status!: Status;

  @Dependent(ConfigMap)
  first(): never {
    throw terminating;
  }

  @Dependent(ConfigMap)
  second(): never {
    throw new Error('failed', { cause: terminating });
  }

  @Dependent(ConfigMap)
  third() {
    if (Widget.failure) throw Widget.failure;
    return { metadata: { name: 'third' } };
  }
}
const [model] = buildResourceModels([Widget]) as [ReturnType<typeof buildResourceModels>[number]];

test.each<[string, Error | undefined]>([
  ['is neither logged as a failure nor recorded in the condition Ready', undefined],
  ['does not hide the failure of another dependent', new Error('no quota')],
])('a dependent that a terminating namespace rejects %s', async (_, failure) => {
  Widget.failure = failure;
  const { parts, dependents, run } = await startDependents(model);
  await expect(dependents.reconcile(run)).rejects.toBe(failure ?? terminating);
  expect(parts.logger.lines.filter(({ level }) => level === 'error')).toEqual([]);
  expect((run.instance as unknown as Widget).status).toEqual({});
  await parts.stop();
});

import { describe, expect, test } from '@jest/globals';
import { Condition, CustomResource, Field, Kind } from 'kindwright';
import { FakeClock } from '../../../src/base/fake-clock.js';
import { formatTime } from '../../../src/base/timestamp.js';
import { ReconciledCondition } from '../../../src/controller/run/reconciled-condition.js';
import { buildResourceModels } from '../../../src/resource/build-models.js';
import { gizmoModel } from '../gizmo.js';

class ThingStatus {
  @Field({ items: Condition, optional: true }) conditions?: Condition[];
}

@Kind({ group: 'test.kindwright.dev', version: 'v1' })
class Thing extends CustomResource {
  @Field() status!: ThingStatus;

  reconcile(): void {}
}

const [thingModel] = buildResourceModels([Thing]);
const clock = new FakeClock();
const condition = new ReconciledCondition(thingModel!, clock);
const time = formatTime(clock.now());
const failed = {
  type: 'Reconciled',
  status: 'False',
  reason: 'ReconcileFailed',
  message: 'no luck',
  observedGeneration: 3,
  lastTransitionTime: time,
};
const ready = { type: 'Ready', status: 'True', reason: 'AllReady', message: '', lastTransitionTime: time };

describe('ReconciledCondition', () => {
  test('the condition Reconciled is set for classes with conditions only', () => {
    expect(condition.isSupported).toBe(true);
    expect(new ReconciledCondition(gizmoModel, clock).isSupported).toBe(false);
  });

  test('the condition Reconciled is added as False beside the other conditions', () => {
    const status = condition.failed({ conditions: [ready], seen: 1 }, 'ReconcileFailed', 'no luck', 3);
    expect(status).toEqual({ conditions: [ready, failed], seen: 1 });
  });

  test('the condition Reconciled is added to an object without a status', () => {
    expect(condition.failed(undefined, 'ReconcileFailed', 'no luck', 3)).toEqual({ conditions: [failed] });
  });

  test('the condition Reconciled keeps its transition time while failures continue', async () => {
    await clock.advance(60_000);
    const status = condition.failed({ conditions: [failed] }, 'FinalizerFailed', 'other', 3);
    expect(status).toMatchObject({
      conditions: [{ reason: 'FinalizerFailed', message: 'other', lastTransitionTime: time }],
    });
  });

  test('the condition Reconciled becomes True by a success after a failure', () => {
    const status = condition.succeeded({ conditions: [ready, failed] }, 4);
    expect(status).toMatchObject({
      conditions: [ready, { status: 'True', reason: 'ReconcileSucceeded', message: '', observedGeneration: 4 }],
    });
  });

  test.each<[string, object | undefined]>([
    ['without a status', undefined],
    ['without the condition', { conditions: [ready] }],
    ['with a condition that the class set', { conditions: [{ ...failed, reason: 'Paused' }] }],
    ['that succeeded before', { conditions: [{ ...failed, status: 'True', reason: 'ReconcileSucceeded' }] }],
  ])('the condition Reconciled is not changed by the success of an object %s', (_, status) => {
    expect(condition.succeeded(status, 4)).toBe(status);
  });

  test('the condition Reconciled is not changed by a failure when the class set it', () => {
    const status = { conditions: [{ ...failed, reason: 'Paused' }] };
    expect(condition.failed(status, 'ReconcileFailed', 'no luck', 3)).toBe(status);
  });
});

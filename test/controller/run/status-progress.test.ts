import { describe, expect, test } from '@jest/globals';
import { Condition, CustomResource, Field, Kind, setCondition, setReady, type ConditionLike } from 'kindwright';
import type { KubeObject } from '../../../src/api/objects/kube-object.js';
import { StatusProgress } from '../../../src/controller/run/status-progress.js';
import { conditionSupport } from '../../../src/controller/run/reconciled-condition.js';
import { buildResourceModels } from '../../../src/resource/build-models.js';
import { createInstance } from '../../../src/resource/instances/reconciled-instance.js';

class ListingStatus {
  @Field({ items: String }) nodes: string[] = [];
  @Field({ items: String, optional: true }) others?: string[];
  @Field({ values: String, optional: true }) labels?: Record<string, string>;
}

class CountingStatus {
  @Field({ type: Number, format: 'int32' }) count = 0;
}

@Kind({ group: 'test.kindwright.dev', version: 'v1' })
class Listing extends CustomResource {
  @Field() status!: ListingStatus;
  reconcile(): void {}
}

@Kind({ group: 'test.kindwright.dev', version: 'v1' })
class Counting extends CustomResource {
  @Field() status!: CountingStatus;
  reconcile(): void {}
}

const metadata = { name: 'a', namespace: 'ns', uid: 'u', resourceVersion: '1' };

/** Returns the status to write after `change` of the status of an object. */
function desired(
  target: typeof Listing | typeof Counting,
  state: object,
  change: (status: ListingStatus) => void,
): unknown {
  const [model] = buildResourceModels([target]);
  const object = { apiVersion: 'test.kindwright.dev/v1', kind: target.name, metadata, ...state } as KubeObject;
  const instance = createInstance(model!, object);
  change((instance as unknown as Listing).status);
  return new StatusProgress(model!, instance, object, false).desired;
}

test.each<[string, object, (status: ListingStatus) => void, unknown]>([
  ['the initial empty list of a new object', {}, () => undefined, undefined],
  ['an assigned list that equals the initial one', {}, (status) => (status.nodes = []), undefined],
  [
    'an empty list that the class does not give a new object',
    {},
    (status) => (status.others = []),
    { nodes: [], others: [] },
  ],
  ['a status without members', {}, (status) => delete (status as Partial<ListingStatus>).nodes, undefined],
  ['a value', {}, (status) => status.nodes.push('x'), { nodes: ['x'] }],
  [
    'an empty list in place of a stored one',
    { status: { nodes: ['x'] } },
    (status) => (status.nodes = []),
    { nodes: [] },
  ],
  ['the initial empty list of an object with a status', { status: {} }, () => undefined, { nodes: [] }],
])('%s: only what a reader of the status cannot know is written', (_, state, change, expected) => {
  expect(desired(Listing, state, change)).toEqual(expected);
});

test('an initial value that is not empty is written to a new object', () => {
  expect(desired(Counting, {}, () => undefined)).toEqual({ count: 0 });
});

describe('observedGeneration of conditions', () => {
  class ReadyStatus {
    @Field({ items: Condition, optional: true }) conditions?: Condition[];
  }

  @Kind({ group: 'test.kindwright.dev', version: 'v1' })
  class WithCondition extends CustomResource {
    @Field() status!: ReadyStatus;
    reconcile(): void {}
  }

  class PlainCondition {
    @Field() type!: string;
    @Field() status!: string;
    @Field() reason!: string;
    @Field() message!: string;
    @Field() lastTransitionTime!: string;
  }

  class PlainStatus {
    @Field({ items: PlainCondition, optional: true }) conditions?: PlainCondition[];
  }

  @Kind({ group: 'test.kindwright.dev', version: 'v1' })
  class WithPlainCondition extends CustomResource {
    @Field() status!: PlainStatus;
    reconcile(): void {}
  }

  const old = { type: 'Old', status: 'True', reason: 'Set', message: '', lastTransitionTime: '2026-01-01T00:00:00Z' };

  function generations(
    target: typeof WithCondition | typeof WithPlainCondition,
    change: (status: { conditions?: ConditionLike[] }) => void,
  ): unknown {
    const [model] = buildResourceModels([target]);
    const status = { conditions: [{ ...old, observedGeneration: 3 }] };
    const object = {
      apiVersion: 'test.kindwright.dev/v1',
      kind: target.name,
      metadata: { ...metadata, generation: 7 },
    };
    const instance = createInstance(model!, { ...object, status } as KubeObject);
    change((instance as unknown as WithCondition).status);
    const { hasGeneration } = conditionSupport(model!);
    const { desired } = new StatusProgress(model!, instance, { ...object, status } as KubeObject, hasGeneration);
    return (desired as ReadyStatus).conditions!.map(({ type, observedGeneration }) => [type, observedGeneration]);
  }

  test('setReady and setCondition set the generation that the reconcile read, and leave other conditions alone', () => {
    expect(generations(WithCondition, (status) => setReady(status, true, 'Done', ''))).toEqual([
      ['Old', 3],
      ['Ready', 7],
    ]);
    const replace = (status: { conditions?: ConditionLike[] }) => {
      status.conditions = setCondition(status.conditions, { type: 'Old', status: 'False', reason: 'Set', message: '' });
    };
    expect(generations(WithCondition, replace)).toEqual([['Old', 7]]);
  });

  test('a given observedGeneration is kept', () => {
    const given = { type: 'Old', status: 'True', reason: 'Set', message: '', observedGeneration: 5 };
    const change = (status: { conditions?: ConditionLike[] }) => {
      status.conditions = setCondition(status.conditions, given);
    };
    expect(generations(WithCondition, change)).toEqual([['Old', 5]]);
  });

  test('conditions without the field do not get it', () => {
    const change = (status: { conditions?: ConditionLike[] }) => {
      setReady(status, true, 'Done', '');
    };
    expect(generations(WithPlainCondition, change)).toContainEqual(['Ready', undefined]);
  });
});

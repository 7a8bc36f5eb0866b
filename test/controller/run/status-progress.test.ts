import { expect, test } from '@jest/globals';
import { CustomResource, Field, Kind } from 'kindwright';
import type { KubeObject } from '../../../src/api/kube-object.js';
import { StatusProgress } from '../../../src/controller/run/status-progress.js';
import { buildResourceModels } from '../../../src/resource/build-models.js';
import { createInstance } from '../../../src/resource/reconciled-instance.js';

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
  return new StatusProgress(model!, instance, object).desired;
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

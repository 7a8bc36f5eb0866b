import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { ConfigMap, CustomResource, Dependent, Deployment, type Desired, Kind } from 'kindwright';
import { buildResourceModels } from '../../../src/resource/build-models.js';
import { owned, sent, startDependents } from './dependents-run.js';
import type { ControllerParts } from '../gizmo.js';

let isWanted: boolean;
let mayDelete: boolean;

/** `last` depends on `middle`, which has no objects, and that on `first`. */
@Kind({ group: 'test.kindwright.dev', version: 'v1', kind: 'Gizmo' })
abstract class Chain extends CustomResource {
  @Dependent(ConfigMap, { when: () => isWanted })
  first(): Desired<ConfigMap> {
    return { metadata: { name: 'first' } };
  }

  @Dependent(ConfigMap, { dependsOn: ['first'] })
  middle(): Desired<ConfigMap>[] {
    return [];
  }

  @Dependent(Deployment, { dependsOn: ['middle'], deleteWhen: () => mayDelete })
  last(): Desired<Deployment> {
    return { metadata: { name: 'last' } };
  }
}

const [model] = buildResourceModels([Chain]) as [ReturnType<typeof buildResourceModels>[number]];
const objects = [owned(ConfigMap, 'first', 'first'), owned(Deployment, 'last', 'last')] as const;

let parts: ControllerParts | undefined;
beforeEach(() => {
  isWanted = false;
  mayDelete = false;
});
afterEach(() => parts?.stop());

async function start() {
  const started = await startDependents(model, ...objects);
  ({ parts } = started);
  return { made: started.parts, ...started };
}

test('an object is kept while one that depends on it through a method without objects exists', async () => {
  const { made, dependents, run } = await start();
  await dependents.reconcile(run);
  expect(sent(made)).toEqual([]);
  mayDelete = true;
  await dependents.reconcile(run);
  expect(sent(made)).toEqual(['delete last', 'delete first']);
});

test('the same holds for the deletion of the owner', async () => {
  const { made, dependents, run } = await start();
  expect(await dependents.remove(run)).toEqual({ requeueAfter: 30_000 });
  expect(sent(made)).toEqual([]);
  mayDelete = true;
  expect(await dependents.remove(run)).toBeUndefined();
  expect(sent(made)).toEqual(['delete last', 'delete first']);
});

test('an object that is being deleted is waited for without a retry', async () => {
  mayDelete = true;
  const { made, dependents, run } = await start();
  made.answerDelete = () => {
    const [, last] = objects[1];
    const deletionTimestamp = '2026-01-01T00:00:00Z';
    return { ...last, metadata: { ...last.metadata, resourceVersion: '2', deletionTimestamp, finalizers: ['x/y'] } };
  };
  expect(await dependents.reconcile(run)).toBeUndefined();
  expect(sent(made)).toEqual(['delete last']);
});

import { afterEach, beforeEach, expect, test } from '@jest/globals';
import {
  Condition,
  ConfigMap,
  CustomResource,
  Dependent,
  Deployment,
  type Desired,
  Field,
  Kind,
  NotFoundError,
} from 'kindwright';
import { buildResourceModels } from '../../src/resource/build-models.js';
import { absentKinds, owned, sent, startDependents } from './reconcile/dependents-run.js';
import type { ControllerParts } from './gizmo.js';

class Status {
  @Field({ items: Condition }) conditions?: Condition[];
}

/** `config` depends on `web`, whose kind may be missing; `isWanted` is its precondition. */
@Kind({ group: 'test.kindwright.dev', version: 'v1', kind: 'Gizmo' })
abstract class Optional extends CustomResource {
  @Field() status!: Status;

  @Dependent(Deployment, { optional: true, when: () => isWanted, deleteWhen: () => true })
  web(): Desired<Deployment> {
    return { metadata: { name: 'web' } };
  }

  @Dependent(ConfigMap, { dependsOn: ['web'] })
  config(): Desired<ConfigMap> {
    return { metadata: { name: 'config' } };
  }

  @Dependent(ConfigMap)
  other(): Desired<ConfigMap> {
    return { metadata: { name: 'other' } };
  }
}

const [model] = buildResourceModels([Optional]) as [ReturnType<typeof buildResourceModels>[number]];
const SKIPPED = 'web is skipped: Deployment (apps/v1) is not installed';
let isWanted: boolean;
let parts: ControllerParts | undefined;
beforeEach(() => {
  isWanted = true;
  absentKinds.add('Deployment');
});
afterEach(() => {
  absentKinds.clear();
  return parts?.stop();
});

async function start(...objects: ReturnType<typeof owned>[]) {
  const started = await startDependents(model, ...objects);
  ({ parts } = started);
  const condition = () => {
    const { status } = started.run.instance as Optional;
    return status.conditions?.find(({ type }) => type === 'Ready');
  };
  return { ...started, made: started.parts, condition };
}

test('a method whose optional kind is not served is skipped, those that depend on it wait, and nothing is deleted', async () => {
  const { made, dependents, run, condition } = await start(
    owned(Deployment, 'old', 'web'),
    owned(ConfigMap, 'config', 'config'),
  );
  expect(await dependents.reconcile(run)).toBeUndefined();
  expect(sent(made)).toEqual(['apply other']);
  const message = `config waits for web; ${SKIPPED}`;
  expect(condition()).toMatchObject({ status: 'False', reason: 'DependentsNotReady', message });
});

test('a method that is not wanted is not reported as skipped, and its objects in the cache are taken as deleted', async () => {
  isWanted = false;
  const { made, dependents, run, condition } = await start(owned(Deployment, 'web', 'web'));
  expect(await dependents.reconcile(run)).toBeUndefined();
  expect(sent(made)).toEqual(['apply other']);
  expect(condition()).toMatchObject({ status: 'True', reason: 'DependentsReady', message: '' });
});

test('the deletion of an owner does not wait for objects of a kind that is no longer served', async () => {
  const { made, dependents, run } = await start(owned(Deployment, 'web', 'web'), owned(ConfigMap, 'config', 'config'));
  expect(await dependents.remove(run)).toBeUndefined();
  expect(sent(made)).toEqual(['delete config']);
});

test.each([
  ['of the kind is treated as its removal', 'deployments.apps', undefined],
  ['of another kind fails the method', 'configmaps', 'not served'],
])('a response without the resource %s', async (_, resource, error) => {
  absentKinds.clear();
  const { made, dependents, run, condition } = await start();
  const { answer } = made;
  made.answer = (write) => {
    if (write.name !== 'web') return answer(write);
    const request = { method: 'PATCH', path: '/', resource };
    throw new NotFoundError('not served', { status: 404, reason: 'NotFound', request });
  };
  // The watch has not ended: if the kind is installed before it does, only the next reconcile shows it.
  if (error === undefined) expect(await dependents.reconcile(run)).toEqual({ requeueAfter: 2000 });
  else await expect(dependents.reconcile(run)).rejects.toThrow(error);
  const message = error === undefined ? SKIPPED : 'web failed: not served';
  expect(condition()?.message).toContain(message);
});

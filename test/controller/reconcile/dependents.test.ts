import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import {
  Condition,
  ConfigMap,
  type Context,
  CustomResource,
  Dependent,
  type DependentObjects,
  Deployment,
  type Desired,
  Field,
  Kind,
  TerminalError,
} from 'kindwright';
import type { KindRef } from '../../../src/api/kinds/kind-ref.js';
import type { KubeObject } from '../../../src/api/objects/kube-object.js';
import { buildResourceModels } from '../../../src/resource/build-models.js';
import { owned, sent, startDependents } from './dependents-run.js';
import type { ControllerParts } from '../gizmo.js';

class Status {
  @Field({ items: Condition }) conditions?: Condition[];
}

interface Behavior {
  config: (ctx: Context) => DependentObjects<ConfigMap> | Promise<DependentObjects<ConfigMap>>;
  others: () => DependentObjects<ConfigMap>;
  web: () => DependentObjects<Deployment>;
  isReady: boolean;
  hasConfig: boolean;
  mayDelete: boolean;
}

const named = (name: string): Desired<ConfigMap> => ({ metadata: { name } });
let behavior: Behavior;

/** `web` depends on `config`; `others` is independent. */
@Kind({ group: 'test.kindwright.dev', version: 'v1', kind: 'Gizmo' })
abstract class Widget extends CustomResource {
  @Field() status!: Status;

  @Dependent(Deployment, { dependsOn: ['config'], deleteWhen: () => behavior.mayDelete })
  web(): DependentObjects<Deployment> {
    return behavior.web();
  }

  @Dependent(ConfigMap, { ready: () => behavior.isReady, when: () => behavior.hasConfig })
  config(ctx: Context): DependentObjects<ConfigMap> | Promise<DependentObjects<ConfigMap>> {
    return behavior.config(ctx);
  }

  @Dependent(ConfigMap)
  others(): DependentObjects<ConfigMap> {
    return behavior.others();
  }
}

const [model] = buildResourceModels([Widget]) as [ReturnType<typeof buildResourceModels>[number]];
let parts: ControllerParts | undefined;
let instance: Widget;
beforeEach(() => {
  behavior = {
    config: () => named('config'),
    others: () => named('other'),
    web: () => ({ metadata: { name: 'web' } }),
    isReady: true,
    hasConfig: true,
    mayDelete: true,
  };
});
afterEach(() => parts?.stop());

async function start(...objects: (readonly [KindRef, KubeObject])[]) {
  const started = await startDependents(model, ...objects);
  ({ parts } = started);
  instance = started.run.instance as Widget;
  return started;
}

const ready = () => instance.status.conditions?.find(({ type }) => type === 'Ready');

describe('dependents', () => {
  test('dependents are applied after those that they depend on, with the owner and the name of their method', async () => {
    const { parts: made, dependents, run } = await start();
    await dependents.reconcile(run);
    expect(sent(made)).toEqual(['apply config', 'apply other', 'apply web']);
    expect(made.sent[0]?.body).toMatchObject({
      metadata: {
        namespace: 'team',
        annotations: { 'kindwright.dev/dependent': 'config' },
        ownerReferences: [{ uid: 'uid-a', controller: true }],
      },
    });
    expect(ready()).toMatchObject({ status: 'True', reason: 'DependentsReady', observedGeneration: 3 });
  });

  test('dependents that do not depend on each other run concurrently', async () => {
    const { dependents, run } = await start();
    await new Promise((resolve, reject) => {
      const isOtherCalled = new Promise<void>((called) => {
        behavior.others = () => {
          called();
          return undefined;
        };
      });
      behavior.config = async () => {
        await isOtherCalled;
        return named('config');
      };
      dependents.reconcile(run).then(resolve, reject);
    });
    expect(ready()?.status).toBe('True');
  });

  test('a dependent waits until those it depends on are ready, and the condition names them', async () => {
    behavior.isReady = false;
    const { parts: made, dependents, run } = await start();
    await dependents.reconcile(run);
    expect(sent(made)).toEqual(['apply config', 'apply other']);
    const message = 'config is not ready; web waits for config';
    expect(ready()).toMatchObject({ status: 'False', reason: 'DependentsNotReady', message });
  });

  test('when a dependent fails, methods that depend on it are not called, others are, and the error is thrown', async () => {
    behavior.config = () => {
      throw new Error('no template');
    };
    const { parts: made, dependents, run } = await start(owned(ConfigMap, 'old', 'config'));
    await expect(dependents.reconcile(run)).rejects.toThrow('no template');
    expect(sent(made)).toEqual(['apply other']);
    const message = 'config failed: Error: see the log of the operator; web waits for config';
    expect(ready()).toMatchObject({ status: 'False', reason: 'DependentFailed', message });
  });

  test('of two errors the retriable one is thrown, and the terminal one is logged', async () => {
    behavior.config = () => {
      throw new TerminalError('invalid');
    };
    behavior.others = () => {
      throw new Error('try again');
    };
    const { parts: made, dependents, run } = await start();
    await expect(dependents.reconcile(run)).rejects.toThrow('try again');
    expect(made.logger.messages('error')).toEqual(['Dependent failed']);
  });

  test('dependents that are no longer returned are deleted, but none of another method or owner', async () => {
    const unmarked = owned(ConfigMap, 'unmarked', 'config');
    delete unmarked[1].metadata.annotations;
    behavior.config = () => [named('config-1')];
    const {
      parts: made,
      dependents,
      run,
    } = await start(
      owned(ConfigMap, 'config-0', 'config'),
      owned(ConfigMap, 'other', 'others'),
      owned(ConfigMap, 'foreign', 'config', 'uid-b'),
      unmarked,
    );
    await dependents.reconcile(run);
    expect(sent(made).slice(0, 2).toSorted()).toEqual(['apply config-1', 'apply other']);
    expect(sent(made).slice(2)).toEqual(['apply web', 'delete config-0']);
  });

  test('dependents are deleted before those that they depend on when the precondition no longer holds', async () => {
    behavior.hasConfig = false;
    const {
      parts: made,
      dependents,
      run,
    } = await start(owned(ConfigMap, 'config', 'config'), owned(Deployment, 'web', 'web'));
    made.answerDelete = () => undefined;
    await dependents.reconcile(run);
    expect(sent(made)).toEqual(['apply other', 'delete web', 'delete config']);
    expect(ready()?.status).toBe('True');
  });

  test('dependents are kept, with those they depend on, while deleteWhen is false', async () => {
    behavior.hasConfig = false;
    behavior.mayDelete = false;
    const {
      parts: made,
      dependents,
      run,
    } = await start(owned(ConfigMap, 'config', 'config'), owned(Deployment, 'web', 'web'));
    expect(await dependents.reconcile(run)).toEqual({ requeueAfter: 30_000 });
    expect(sent(made)).toEqual(['apply other']);
    const message = 'deleteWhen of web keeps 1 object';
    expect(ready()).toMatchObject({ status: 'False', reason: 'DependentsNotReady', message });
  });

  test('deleteWhen of an object that is no longer returned is called again', async () => {
    behavior.mayDelete = false;
    const { dependents, run } = await start(owned(Deployment, 'old', 'web'));
    expect(await dependents.reconcile(run)).toEqual({ requeueAfter: 30_000 });
    expect(ready()).toMatchObject({ status: 'False', message: 'deleteWhen of web keeps 1 object' });
    behavior.mayDelete = true;
    expect(await dependents.reconcile(run)).toBeUndefined();
    expect(ready()?.status).toBe('True');
  });

  test('dependents of an owner that is being deleted are deleted in reverse order', async () => {
    behavior.mayDelete = false;
    const {
      parts: made,
      dependents,
      run,
    } = await start(owned(ConfigMap, 'config', 'config'), owned(Deployment, 'web', 'web'));
    expect(await dependents.remove(run)).toEqual({ requeueAfter: 30_000 });
    expect(sent(made)).toEqual([]);
    behavior.mayDelete = true;
    expect(await dependents.remove(run)).toBeUndefined();
    expect(sent(made)).toEqual(['delete web', 'delete config']);
  });

  test.each([
    ['without a name', [{ metadata: {} }], 'Widget.config returned an object without metadata.name'],
    [
      'of which one is undefined',
      [undefined as unknown as Desired<ConfigMap>],
      'Widget.config returned an object without metadata.name',
    ],
    ['of one name', [named('x'), named('x')], 'Widget.config returned two objects named team/x'],
  ])('objects %s are an error, and nothing of the method is applied', async (_, objects, message) => {
    behavior.config = () => objects;
    const { parts: made, dependents, run } = await start();
    await expect(dependents.reconcile(run)).rejects.toThrow(message);
    expect(sent(made)).toEqual(['apply other']);
  });

  test('an object that two methods return is an error that names both, and the second one does not write it', async () => {
    behavior.others = () => [named('other'), named('config')];
    const { parts: made, dependents, run } = await start();
    const message = 'Widget.others returned ConfigMap team/config, as Widget.config did';
    await expect(dependents.reconcile(run)).rejects.toMatchObject({ code: 'E_DEPENDENT', message });
    expect(sent(made)).toEqual(['apply config', 'apply web']);
  });

  test('objects of two kinds may have one name', async () => {
    behavior.web = () => ({ metadata: { name: 'config' } });
    const { parts: made, dependents, run } = await start();
    await dependents.reconcile(run);
    expect(sent(made)).toEqual(['apply config', 'apply other', 'apply config']);
  });

  test('dependents do not change a condition Ready that the class sets itself', async () => {
    const { dependents, run } = await start();
    const own = { type: 'Ready', status: 'False', reason: 'Own', message: '', lastTransitionTime: '' } as Condition;
    instance.status.conditions = [own];
    await dependents.reconcile(run);
    expect(instance.status.conditions).toEqual([own]);
  });
});

test('a class with deleteWhen has a finalizer of its own', () => {
  expect(model.finalizers).toEqual([{ name: 'test.kindwright.dev/dependents', method: undefined }]);
});

import { beforeEach, expect, jest, test } from '@jest/globals';
import { ConfigMap, Controller, CustomResource, Field, Kind, ObjectController } from 'kindwright';
import type { KubeObject } from '../../src/api/objects/kube-object.js';
import { FakeClock } from '../../src/base/fake-clock.js';
import { silentLogger } from '../../src/base/logger.js';
import { InformerFactory } from '../../src/cache/informer-factory.js';
import { Informer } from '../../src/cache/informer.js';
import type { Client } from '../../src/client/client.js';
import { KindController } from '../../src/controller/kind-controller.js';
import { OwnWrites } from '../../src/controller/run/own-writes.js';
import { buildResourceModels } from '../../src/resource/build-models.js';
import { ProvidedValues } from '../../src/resource/provided-values.js';
import { refusal, ScriptedClient } from '../cache/scripted-client.js';

class RunSpec {
  @Field() value!: string;
}

const calls: string[] = [];
/** Called at the beginning of each reconcile, which it may delay. */
let beforeReconcile: () => Promise<void> | void = () => undefined;

@Kind({ group: 'test.kindwright.dev', version: 'v1' })
class Run extends CustomResource {
  @Field() spec!: RunSpec;

  async reconcile(): Promise<void> {
    calls.push(`reconcile ${this.metadata.name}`);
    await beforeReconcile();
  }

  override deleted(): void {
    calls.push(`deleted ${this.metadata.name}`);
  }
}

@Controller({ for: ConfigMap })
class ConfigReader extends ObjectController<ConfigMap> {
  reconcile(): void {
    calls.push(`reconcile ${this.object.data?.['value'] ?? ''}`);
  }
}

const run = (name: string, resourceVersion: number) => ({
  apiVersion: 'test.kindwright.dev/v1',
  kind: 'Run',
  metadata: { name, namespace: 'ns', uid: `uid-${name}`, resourceVersion: String(resourceVersion) },
  spec: { value: 'a' },
});

beforeEach(() => {
  calls.length = 0;
  beforeReconcile = () => undefined;
});

function setUp(target: new () => object = Run) {
  const clock = new FakeClock();
  const server = new ScriptedClient();
  const informers = new InformerFactory(server, { clock });
  const [model] = buildResourceModels([target]);
  const controller = new KindController(model!, {
    client: server as unknown as Client,
    informers,
    recorder: { record: () => undefined },
    fence: () => undefined,
    clock,
    logger: silentLogger,
    strict: false,
    detectHotLoops: false,
    ownWrites: new OwnWrites(),
    provided: new ProvidedValues(),
  });
  return { clock, server, informers, controller };
}

test('a stopped controller has no handlers left in informers that others may use', async () => {
  const handlers = new Set<unknown>();
  const add = Informer.prototype.addEventHandler;
  const spy = jest.spyOn(Informer.prototype, 'addEventHandler').mockImplementation(function (this: Informer, handler) {
    const remove = add.call(this, handler);
    handlers.add(handler);
    return () => {
      handlers.delete(handler);
      remove();
    };
  });
  const { clock, server, informers, controller } = setUp();
  informers.start();
  await clock.advance(0);
  server.last.initial(10, run('a', 1));
  await controller.start(new AbortController().signal);
  const connected = handlers.size;
  await controller.stop();
  expect([connected > 0, handlers.size]).toEqual([true, 0]);
  spy.mockRestore();
  await informers.stop();
});

test('a controller that starts late reconciles existing objects, and none that were deleted before', async () => {
  const { clock, server, informers, controller } = setUp();
  informers.start();
  await clock.advance(0);
  server.last.initial(10, run('kept', 1), run('old', 2));
  server.last.send('DELETED', run('old', 11));
  server.last.send('ADDED', run('short', 12));
  server.last.send('DELETED', run('short', 13));

  await controller.start(new AbortController().signal);
  await clock.advance(0);
  expect(calls).toEqual(['reconcile kept']);

  server.last.send('DELETED', run('kept', 14));
  await clock.advance(0);
  expect(calls).toEqual(['reconcile kept', 'deleted kept']);
  await controller.stop();
  await informers.stop();
});

test('a change during the first reconcile of 2,000 objects is reconciled next', async () => {
  const { clock, server, informers, controller } = setUp();
  const names = Array.from({ length: 2000 }, (_, index) => `run-${String(index)}`);
  let goOn: () => void = () => undefined;
  beforeReconcile = () => {
    if (calls.length !== 10) return undefined;
    return new Promise((resolve) => {
      goOn = resolve;
    });
  };
  informers.start();
  await clock.advance(0);
  server.last.initial(3000, ...names.map((name, index) => run(name, index + 1)));
  await controller.start(new AbortController().signal);
  await clock.advance(0);
  expect(calls).toEqual(names.slice(0, 10).map((name) => `reconcile ${name}`));

  const { metadata, ...rest } = run('run-1999', 3001);
  const changed = { ...rest, metadata: { ...metadata, generation: 2 }, spec: { value: 'b' } };
  server.last.send('MODIFIED', changed);
  await clock.advance(0);
  goOn();
  while (calls.length < 2000) await clock.advance(0);
  expect(calls.slice(10, 12)).toEqual(['reconcile run-1999', 'reconcile run-10']);
  expect(new Set(calls).size).toBe(2000);
  await controller.stop();
  await informers.stop();
});

const config = (value: string) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'a', namespace: 'ns', uid: 'uid-a', resourceVersion: '5' },
  data: { value },
});

test.each<[string, new () => object, object, object]>([
  ['a kind without a generation', ConfigReader, config('first'), config('second')],
  ['a kind with a generation', Run, run('a', 5), { ...run('a', 5), spec: { value: 'b' } }],
])('an object of %s with the version of a lost history is reconciled', async (_, target, before, restored) => {
  const { clock, server, informers, controller } = setUp(target);
  informers.start();
  await clock.advance(0);
  server.last.initial(10, before as KubeObject);
  await controller.start(new AbortController().signal);
  await clock.advance(0);
  expect(calls).toHaveLength(1);
  server.last.fail(refusal(410, 'Expired'));
  await clock.advance(2000);
  server.last.initial(8, restored as KubeObject);
  await clock.advance(0);
  server.last.initial(8, restored as KubeObject);
  await clock.advance(0);
  expect(calls).toHaveLength(2);
  await controller.stop();
  await informers.stop();
});

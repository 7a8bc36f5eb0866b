import { beforeEach, describe, expect, test } from '@jest/globals';
import { ConfigMap, Controller, CustomResource, Field, Kind, Watches, type Context, type KindLike } from 'kindwright';
import { FakeClock } from '../../src/base/fake-clock.js';
import { silentLogger } from '../../src/base/logger.js';
import { InformerFactory } from '../../src/cache/informer-factory.js';
import type { Client } from '../../src/client/client.js';
import { KindController } from '../../src/controller/kind-controller.js';
import { OwnWrites } from '../../src/controller/run/own-writes.js';
import { buildResourceModels } from '../../src/resource/build-models.js';
import type { ResourceModel } from '../../src/resource/model.js';
import { ProvidedValues } from '../../src/resource/provided-values.js';
import { ScriptedClient } from '../cache/scripted-client.js';

class GaugeSpec {
  @Field() value!: string;
}

let calls: string[];
/** Called in each reconcile, which it may delay. */
let during: (ctx: Context) => Promise<void> | void;

/** A version of the same class, as after its file was loaded again. */
function version(name: string, watched: readonly KindLike[] = []): ResourceModel {
  @Kind({ group: 'test.kindwright.dev', version: 'v1' })
  @Controller({ name: 'gauge', maxConcurrentReconciles: 1 })
  class Gauge extends CustomResource {
    @Field() spec!: GaugeSpec;

    async reconcile(ctx: Context): Promise<void> {
      calls.push(`${name} ${this.metadata.name}`);
      await during(ctx);
      calls.push(`${name} ${this.metadata.name} ended`);
    }
  }
  for (const kind of watched) Watches(kind, () => [])(Gauge);
  return buildResourceModels([Gauge])[0]!;
}

const gauge = (name: string, resourceVersion = 1, value = 'a') => ({
  apiVersion: 'test.kindwright.dev/v1',
  kind: 'Gauge',
  metadata: { name, namespace: 'ns', uid: `uid-${name}`, resourceVersion: String(resourceVersion) },
  spec: { value },
});

const { signal } = new AbortController();
let clock: FakeClock;
let server: ScriptedClient;
let informers: InformerFactory;
let controller: KindController;
let causes: string[];

/** Starts the first version with one object. */
beforeEach(async () => {
  calls = [];
  causes = [];
  during = () => undefined;
  clock = new FakeClock();
  server = new ScriptedClient();
  informers = new InformerFactory(server, { clock });
  controller = new KindController(version('first'), {
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
    observer: {
      began: (run) => causes.push(...run.causes.map((cause) => ('source' in cause ? cause.source : cause.type))),
    },
  });
  informers.start();
  await clock.advance(0);
  server.last.initial(10, gauge('a'));
  await controller.start(signal);
  await clock.advance(0);
  expect(calls).toEqual(['first a', 'first a ended']);
  calls = [];
  causes = [];
});

async function stop(): Promise<void> {
  await controller.stop();
  await informers.stop();
}

describe('another version of a class', () => {
  test('reconciles all objects immediately, and names the new code as the cause, without another request', async () => {
    const requests = server.calls.length;
    await controller.replace({ model: version('second'), signal });
    await clock.advance(0);
    expect(calls).toEqual(['second a', 'second a ended']);
    expect(causes).toEqual(['new code of Gauge']);
    expect(server.calls).toHaveLength(requests);
    await stop();
  });

  test('begins with an object only when the earlier version has ended with it', async () => {
    let end = (): void => undefined;
    during = () => new Promise((resolve) => (end = resolve));
    server.last.send('MODIFIED', gauge('a', 11, 'b'));
    await clock.advance(0);
    await controller.replace({ model: version('second'), signal });
    await clock.advance(0);
    expect(calls).toEqual(['first a']);
    during = () => undefined;
    end();
    await clock.advance(0);
    expect(calls).toEqual(['first a', 'first a ended', 'second a', 'second a ended']);
    await stop();
  });

  test('keeps the keys that wait', async () => {
    controller.stepping.pause();
    server.last.send('ADDED', gauge('b', 12));
    await clock.advance(0);
    await controller.replace({ model: version('second'), signal });
    controller.stepping.resume();
    await clock.advance(0);
    expect(calls.filter((call) => call.endsWith('ended')).sort()).toEqual(['second a ended', 'second b ended']);
    await stop();
  });

  test('is in use only when the cache of a kind that it watches is filled', async () => {
    const replaced = controller.replace({ model: version('second', [ConfigMap]), signal });
    await clock.advance(0);
    expect(calls).toEqual([]);
    server.last.initial(20);
    await replaced;
    await clock.advance(0);
    expect(calls).toEqual(['second a', 'second a ended']);
    await stop();
  });

  test('is not used if the waiting for such a cache is aborted; the earlier version goes on', async () => {
    const ending = new AbortController();
    const replaced = controller.replace({ model: version('second', [ConfigMap]), signal: ending.signal });
    await clock.advance(0);
    const own = server.calls.findIndex(({ isOpen }) => isOpen);
    ending.abort(new Error('the files have changed again'));
    await expect(replaced).rejects.toThrow('the files have changed again');
    server.calls[own]!.send('MODIFIED', gauge('a', 13, 'c'));
    await clock.advance(0);
    expect(calls).toEqual(['first a', 'first a ended']);
    await stop();
  });
});

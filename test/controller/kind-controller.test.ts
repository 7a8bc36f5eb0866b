import { expect, test } from '@jest/globals';
import { CustomResource, Field, Kind } from 'kindwright';
import { FakeClock } from '../../src/base/fake-clock.js';
import { silentLogger } from '../../src/base/logger.js';
import { InformerFactory } from '../../src/cache/informer-factory.js';
import type { Client } from '../../src/client/client.js';
import { KindController } from '../../src/controller/kind-controller.js';
import { OwnWrites } from '../../src/controller/own-writes.js';
import { buildResourceModels } from '../../src/resource/build-models.js';
import { ProvidedValues } from '../../src/resource/provided-values.js';
import { ScriptedClient } from '../cache/scripted-client.js';

class RunSpec {
  @Field() value!: string;
}

const calls: string[] = [];

@Kind({ group: 'test.kindwright.dev', version: 'v1' })
class Run extends CustomResource {
  @Field() spec!: RunSpec;

  reconcile(): void {
    calls.push(`reconcile ${this.metadata.name}`);
  }

  override deleted(): void {
    calls.push(`deleted ${this.metadata.name}`);
  }
}

const run = (name: string, resourceVersion: number) => ({
  apiVersion: 'test.kindwright.dev/v1',
  kind: 'Run',
  metadata: { name, namespace: 'ns', uid: `uid-${name}`, resourceVersion: String(resourceVersion) },
  spec: { value: 'a' },
});

test('a controller that starts late reconciles what exists, and not what was deleted before', async () => {
  const clock = new FakeClock();
  const server = new ScriptedClient();
  const informers = new InformerFactory(server, { clock });
  const [model] = buildResourceModels([Run]);
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

import { afterEach, describe, expect, test } from '@jest/globals';
import {
  byLabel,
  ConfigMap,
  Controller,
  CustomResource,
  Field,
  Kind,
  Secret,
  Watches,
  type Mapper,
  type Predicate,
} from 'kindwright';
import { eventually, startCluster, RecordingLogger, type Cluster } from 'kindwright/testing';

class ProbeSpec {
  @Field() value!: string;
}

class ProbeStatus {
  @Field({ optional: true }) seen?: string;
}

const mapped: string[] = [];

/** Changes its argument, as incorrect mappers do. */
const careless: Mapper<ConfigMap> = (map, cache, kind) => {
  mapped.push(map.metadata.name);
  (cache.list(ConfigMap)[0] as ConfigMap).data = { changed: 'by the mapper' };
  return byLabel('probe')(map, cache, kind);
};

/** Changes the object of its event. */
const carelessPredicate: Predicate<Secret> = ({ object }) => {
  (object as Secret).metadata.labels = {};
  return true;
};

@Kind({ group: 'test.example.com', version: 'v1' })
@Controller({ baseDelay: 1, maxDelay: 5 })
@Watches(ConfigMap, careless)
@Watches(Secret, byLabel('probe'), { predicate: carelessPredicate })
class Probe extends CustomResource {
  @Field() spec!: ProbeSpec;
  @Field() status!: ProbeStatus;

  reconcile(): void {
    this.spec.value = 'default';
    this.status.seen = this.spec.value;
  }
}

let cluster: Cluster;
const { NODE_ENV } = process.env;
afterEach(async () => {
  process.env['NODE_ENV'] = NODE_ENV;
  mapped.length = 0;
  await cluster.stop();
});

async function run(strict?: boolean): Promise<RecordingLogger> {
  const logger = new RecordingLogger();
  cluster = await startCluster({ logger, ...(strict !== undefined && { strict }) });
  const namespace = 'default';
  await cluster.create(ConfigMap, { metadata: { name: 'map', namespace }, data: { a: '1' } });
  await cluster.create(Secret, { metadata: { name: 'secret', namespace } });
  await cluster.run(Probe);
  await cluster.create(Probe, { metadata: { name: 'probe', namespace }, spec: { value: 'a' } });
  await eventually(async () => {
    const { status } = await cluster.client.get(Probe, 'probe', { namespace });
    if (status?.seen !== 'default') throw new Error('not reconciled yet');
  });
  await eventually(() => {
    if (!mapped.includes('map')) throw new Error('not mapped yet');
  });
  return logger;
}

describe('a strict manager', () => {
  test('in tests, a change to spec, and a mapper or predicate that changes a cached object, are reported', async () => {
    const logger = await run();
    await eventually(() => {
      const { lines } = logger;
      const errors = lines.filter(({ level }) => level === 'error');
      expect(errors).toContainEqual(
        expect.objectContaining({
          message: '@Watches(ConfigMap) of Probe failed on an event',
          fields: expect.objectContaining({
            err: expect.objectContaining({
              message: expect.stringContaining('@Watches(ConfigMap) of Probe changed a cached object: '),
            }),
            hint: expect.stringContaining('structuredClone'),
          }),
        }),
      );
      expect(errors).toContainEqual(
        expect.objectContaining({
          message: '@Watches(Secret) of Probe failed on an event',
          fields: expect.objectContaining({
            err: expect.objectContaining({ code: 'E_CACHE_MUTATION' }),
          }),
        }),
      );
      expect(String(logger)).toContain('Probe.spec.value was changed by reconcile; the change is not written');
    });
  });
});

describe.each<[string, () => Promise<RecordingLogger>]>([
  [
    'in production',
    () => {
      process.env['NODE_ENV'] = 'production';
      return run();
    },
  ],
  ['with strict: false', () => run(false)],
])('%s', (_, start) => {
  test('a manager that is not strict reports neither change, and drops the change to spec', async () => {
    const logger = await start();
    expect(logger.messages('error')).toEqual([]);
    expect((await cluster.client.get(Probe, 'probe', { namespace: 'default' })).spec.value).toBe('a');
  });
});

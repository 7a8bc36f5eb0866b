import { afterEach, expect, test } from '@jest/globals';
import { allObjects, CustomResource, Field, generationChanged, Kind, Pod, Watches, type Context } from 'kindwright';
import { eventually, startCluster, type Cluster } from 'kindwright/testing';

const namespace = 'default';

class CountStatus {
  @Field({ optional: true, format: 'int32' }) running?: number;
}

/** Counts the running pods of its namespace. */
@Kind({ group: 'test.example.com', version: 'v1' })
@Watches(Pod, allObjects())
class PodCount extends CustomResource {
  @Field() status!: CountStatus;

  async reconcile(ctx: Context): Promise<void> {
    const pods = await ctx.list(Pod);
    this.status.running = pods.filter(({ status }) => status?.phase === 'Running').length;
  }
}

/** Counts its reconciles, which updates of the status of pods do not trigger. */
@Kind({ group: 'test.example.com', version: 'v1' })
@Watches(Pod, allObjects(), { predicate: generationChanged })
class Narrow extends CustomResource {
  static phases: (string | undefined)[] = [];

  async reconcile(ctx: Context): Promise<void> {
    const pod = await ctx.get(Pod, 'web');
    Narrow.phases.push(pod?.status?.phase);
  }
}

let cluster: Cluster;
afterEach(() => cluster.stop());

test('@Watches passes updates of the status by default, and a predicate excludes them', async () => {
  cluster = await startCluster();
  await cluster.run(PodCount, Narrow);
  await cluster.create(PodCount, { metadata: { name: 'count', namespace } });
  await cluster.create(Narrow, { metadata: { name: 'narrow', namespace } });
  const running = async () => (await cluster.client.get(PodCount, 'count', { namespace })).status?.running;
  await eventually(async () => expect(await running()).toBe(0));
  const spec = { containers: [{ name: 'web', image: 'nginx' }], nodeName: 'absent' };
  await cluster.create(Pod, { metadata: { name: 'web', namespace }, spec });
  await cluster.client.patch(Pod, 'web', { status: { phase: 'Running' } }, { namespace, subresource: 'status' });
  await eventually(async () => expect(await running()).toBe(1));
  expect(Narrow.phases).not.toContain('Running');
});

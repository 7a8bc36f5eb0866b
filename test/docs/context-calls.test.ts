import { expect, test } from '@jest/globals';
import {
  ConfigMap,
  type Context,
  CustomResource,
  EventsEvent,
  Field,
  Job,
  Kind,
  OperatorError,
  Owns,
  Pod,
  Watches,
} from 'kindwright';
import { eventually, RecordingLogger, startCluster } from 'kindwright/testing';

class ErrandSpec {
  @Field() node!: string;
}

class ErrandStatus {
  @Field({ format: 'int32' }) pods: number = 0;
  @Field({ format: 'int32' }) jobs: number = 0;
}

/** Makes the calls that pages show outside of a class. */
@Kind({ group: 'docs.example.com', version: 'v1' })
@Owns(Job)
@Watches(Pod, ({ metadata }) => (metadata.name === 'web' ? ['errand'] : []))
class Errand extends CustomResource {
  @Field() spec!: ErrandSpec;
  @Field() status!: ErrandStatus;

  async reconcile(ctx: Context): Promise<void> {
    const pods = await ctx.list(Pod, { where: { 'spec.nodeName': this.spec.node, 'status.phase': 'Running' } });
    const jobs = await ctx.list(Job, { ownedBy: this });
    const [pod] = pods;
    if (!pod) return;
    ctx.event('Normal', 'Scaled', `created pod ${pod.metadata.name}`, { action: 'Scale', related: pod });
    this.status = { pods: pods.length, jobs: jobs.length };
    await this.takeOver(ctx);
  }

  /** Leaves an object of another client alone. */
  private async takeOver(ctx: Context): Promise<void> {
    try {
      await ctx.apply(ConfigMap, { metadata: { name: 'theirs' }, data: { owner: 'errand' } });
    } catch (error) {
      if (error instanceof OperatorError && error.code === 'E_NOT_OWNED') return;
      throw error;
    }
  }
}

test('the calls that docs/cache.md, docs/errors.md and docs/reconcile.md show have the described effects', async () => {
  const logger = new RecordingLogger();
  const namespace = 'default';
  await using cluster = await startCluster({ server: 'embedded', nodes: ['node-1'], logger });
  await cluster.create(ConfigMap, { metadata: { name: 'theirs', namespace }, data: { owner: 'them' } });
  await cluster.run(Errand);
  await cluster.create(Errand, { metadata: { name: 'errand', namespace }, spec: { node: 'node-1' } });
  const spec = { containers: [{ name: 'web', image: 'nginx' }] };
  await cluster.create(Pod, { metadata: { name: 'web', namespace }, spec });
  await eventually(async () => {
    const { status } = await cluster.client.get(Errand, 'errand', { namespace });
    expect(status).toEqual({ pods: 1, jobs: 0 });
    const { items } = await cluster.client.list(EventsEvent, { namespace });
    const event = items.find(({ reason }) => reason === 'Scaled');
    expect(event).toMatchObject({ action: 'Scale', note: 'created pod web', related: { name: 'web' } });
  });
  expect((await cluster.client.get(ConfigMap, 'theirs', { namespace })).data).toEqual({ owner: 'them' });
  expect(logger.messages('error')).toEqual([]);
});

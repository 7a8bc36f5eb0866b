// Repaired twin of m03-out-of-sync.ts: the pod shows the configuration that it was started with.
import { ConfigMap, Context, CustomResource, Field, Kind, Owns, Pod, type Result, Sample } from 'kindwright';

class FlowSpec {
  @Field({ enum: ['info', 'debug', 'trace'] }) level!: string;
}

class FlowStatus {
  @Field() outOfSync?: boolean;
}

/** A server that reads its configuration when it starts. */
@Kind({ group: 'mutants.example.com', version: 'v1' })
@Owns(ConfigMap)
@Owns(Pod)
@Sample({ name: 'orders', spec: { level: 'info' } })
export class Flow extends CustomResource {
  @Field() spec!: FlowSpec;
  @Field() status!: FlowStatus;

  async reconcile(ctx: Context): Promise<Result | void> {
    const { name } = this.metadata;
    const { level } = this.spec;
    if (!(await this.isLatest(ctx))) return;
    await ctx.apply(ConfigMap, { metadata: { name }, data: { level } });
    const pod = await ctx.get(Pod, name);
    if (pod && pod.metadata.annotations?.['level'] !== level) {
      if (pod.metadata.deletionTimestamp === undefined) await ctx.delete(Pod, pod);
      return;
    }
    const container = { name: 'flow', image: 'nifi', volumeMounts: [{ name: 'config', mountPath: '/conf' }] };
    const spec = { containers: [container], volumes: [{ name: 'config', configMap: { name } }] };
    await ctx.create(Pod, { metadata: { name, annotations: { level } }, spec });
  }

  /** Whether the cache holds the latest spec: that of a new leader may be late. */
  private async isLatest({ client }: Context): Promise<boolean> {
    const { name, namespace, uid, generation } = this.metadata;
    const { metadata } = await client.get(Flow, name, { namespace });
    return metadata.uid === uid && metadata.generation === generation;
  }
}

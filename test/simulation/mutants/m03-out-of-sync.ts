// Bug: a note in the status, written after the ConfigMap, decides whether the pod is restarted.
// Source: Orange-OpenSource/nifikop 49
// Fault: crash
// Workload: create, spec.level info to debug
// Oracle: ledger
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
    const config = await ctx.get(ConfigMap, name);
    await ctx.apply(ConfigMap, { metadata: { name }, data: { level } });
    if (config && config.data?.['level'] !== level) {
      this.status.outOfSync = true;
      return { requeueAfter: '1s' };
    }
    const pod = await ctx.get(Pod, name);
    if (pod && this.status.outOfSync) {
      if (pod.metadata.deletionTimestamp === undefined) await ctx.delete(Pod, pod);
      this.status.outOfSync = false;
      return;
    }
    const container = { name: 'flow', image: 'nifi', volumeMounts: [{ name: 'config', mountPath: '/conf' }] };
    const spec = { containers: [container], volumes: [{ name: 'config', configMap: { name } }] };
    await ctx.create(Pod, { metadata: { name }, spec });
  }

  /** Whether the cache holds the latest spec: that of a new leader may be late. */
  private async isLatest({ client }: Context): Promise<boolean> {
    const { name, namespace, uid, generation } = this.metadata;
    const { metadata } = await client.get(Flow, name, { namespace });
    return metadata.uid === uid && metadata.generation === generation;
  }
}

// Repaired twin of m35-deleted-again.ts: its deletion is waited for.
import { ConfigMap, Context, CustomResource, Field, Kind, Owns, type Result, Sample } from 'kindwright';

class ExporterSpec {
  @Field() isEnabled!: boolean;
}

class ExporterStatus {
  @Field() isRunning?: boolean;
}

/** Settings that exist while it is enabled. */
@Kind({ group: 'mutants.example.com', version: 'v1' })
@Owns(ConfigMap)
@Sample({ name: 'metrics', spec: { isEnabled: true } })
export class Exporter extends CustomResource {
  @Field() spec!: ExporterSpec;
  @Field() status!: ExporterStatus;

  async reconcile(ctx: Context): Promise<Result | void> {
    if (!(await this.isLatest(ctx))) return;
    const { name } = this.metadata;
    if (this.spec.isEnabled) {
      await ctx.apply(ConfigMap, { metadata: { name }, data: { interval: '30s' } });
      this.status.isRunning = true;
      return;
    }
    const settings = await ctx.get(ConfigMap, name);
    this.status.isRunning = settings !== undefined;
    if (settings && settings.metadata.deletionTimestamp === undefined) await ctx.delete(ConfigMap, settings);
  }

  /** Whether the cache holds the latest spec: that of a new leader may be late. */
  private async isLatest({ client }: Context): Promise<boolean> {
    const { name, namespace, uid, generation } = this.metadata;
    const { metadata } = await client.get(Exporter, name, { namespace });
    return metadata.uid === uid && metadata.generation === generation;
  }
}

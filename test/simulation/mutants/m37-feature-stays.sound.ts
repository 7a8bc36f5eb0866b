// Repaired twin of m37-feature-stays.ts: they are deleted.
import { Context, CustomResource, Field, Kind, Owns, Sample, Service } from 'kindwright';

class DatabaseSpec {
  @Field() hasMetrics!: boolean;
}

/** A Service, and another one for metrics. */
@Kind({ group: 'mutants.example.com', version: 'v1' })
@Owns(Service)
@Sample({ name: 'main', spec: { hasMetrics: true } })
export class SmallDatabase extends CustomResource {
  @Field() spec!: DatabaseSpec;

  async reconcile(ctx: Context): Promise<void> {
    const { name } = this.metadata;
    if (!(await this.isLatest(ctx))) return;
    const selector = { app: name };
    await ctx.apply(Service, { metadata: { name }, spec: { selector, ports: [{ port: 5432 }] } });
    const metrics = { name: `${name}-metrics` };
    if (this.spec.hasMetrics) {
      await ctx.apply(Service, { metadata: metrics, spec: { selector, ports: [{ port: 9187 }] } });
      return;
    }
    const service = await ctx.get(Service, metrics.name);
    if (service) await ctx.delete(Service, service);
  }

  /** Whether the cache holds the latest spec: that of a new leader may be late. */
  private async isLatest({ client }: Context): Promise<boolean> {
    const { name, namespace, uid, generation } = this.metadata;
    const { metadata } = await client.get(SmallDatabase, name, { namespace });
    return metadata.uid === uid && metadata.generation === generation;
  }
}

// Repaired twin of m12-deleted-by-name.ts: only a StatefulSet that this object owns is deleted, by its uid.
import { Context, CustomResource, Field, Finalizer, Kind, Owns, Rbac, Sample, StatefulSet } from 'kindwright';

class BrokerSpec {
  @Field({ format: 'int32', minimum: 0, maximum: 3 }) replicas!: number;
}

/** A message broker; its nodes are stopped before anything else is deleted. */
@Kind({ group: 'mutants.example.com', version: 'v1' })
@Owns(StatefulSet)
@Rbac(StatefulSet, 'delete')
@Sample({ name: 'events', spec: { replicas: 1 } })
export class Broker extends CustomResource {
  @Field() spec!: BrokerSpec;

  async reconcile(ctx: Context): Promise<void> {
    const { name } = this.metadata;
    const labels = { broker: name };
    const template = { metadata: { labels }, spec: { containers: [{ name: 'broker', image: 'rabbitmq' }] } };
    const selector = { matchLabels: labels };
    const { replicas } = this.spec;
    await ctx.apply(StatefulSet, { metadata: { name }, spec: { replicas, serviceName: name, selector, template } });
  }

  @Finalizer('mutants.example.com/broker')
  async stop(ctx: Context): Promise<void> {
    for (const set of await ctx.list(StatefulSet, { ownedBy: this }))
      if (set.metadata.deletionTimestamp === undefined)
        await ctx.delete(StatefulSet, set, { propagationPolicy: 'Foreground' });
  }
}

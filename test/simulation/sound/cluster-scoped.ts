// Is cluster-scoped, with children in a namespace.
import { Context, CustomResource, Field, Kind, Owns, ResourceQuota, Sample } from 'kindwright';

class TeamSpec {
  @Field({ format: 'int32', minimum: 1, maximum: 100 }) pods!: number;
}

/** A quota in the namespace `default`. */
@Kind({ group: 'sound.example.com', version: 'v1', scope: 'Cluster' })
@Owns(ResourceQuota)
@Sample({ name: 'red', spec: { pods: 10 } })
export class Team extends CustomResource {
  @Field() spec!: TeamSpec;

  async reconcile(ctx: Context): Promise<void> {
    const metadata = { name: `team-${this.metadata.name}`, namespace: 'default' };
    await ctx.apply(ResourceQuota, { metadata, spec: { hard: { pods: String(this.spec.pods) } } });
  }
}

// Bug: a permission that only one setting needs is missing.
// Source: percona/percona-helm-charts 928
// Fault: spec
// Workload: create, spec.zones to auto
// Oracle: rights
import { ConfigMap, Context, CustomResource, Field, Kind, Node, Owns, Sample } from 'kindwright';

class SpreadSpec {
  @Field({ enum: ['one', 'auto'] }) zones!: string;
}

/** A configuration with the number of places for pods. */
@Kind({ group: 'mutants.example.com', version: 'v1' })
@Owns(ConfigMap)
@Sample({ name: 'pods', spec: { zones: 'one' } })
export class Spread extends CustomResource {
  @Field() spec!: SpreadSpec;

  async reconcile(ctx: Context): Promise<void> {
    const places = this.spec.zones === 'auto' ? (await ctx.client.list(Node)).items.length : 1;
    await ctx.apply(ConfigMap, { metadata: { name: this.metadata.name }, data: { places: String(places) } });
  }
}

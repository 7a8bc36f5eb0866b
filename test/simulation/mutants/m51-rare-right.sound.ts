// Repaired twin of m51-rare-right.ts: the permission is declared.
import { ConfigMap, Context, CustomResource, Field, Kind, Node, Owns, Rbac, Sample } from 'kindwright';

class SpreadSpec {
  @Field({ enum: ['one', 'auto'] }) zones!: string;
}

/** A configuration with the number of places for pods. */
@Kind({ group: 'mutants.example.com', version: 'v1' })
@Owns(ConfigMap)
@Rbac(Node, 'list')
@Sample({ name: 'pods', spec: { zones: 'one' } })
export class Spread extends CustomResource {
  @Field() spec!: SpreadSpec;

  async reconcile(ctx: Context): Promise<void> {
    const places = this.spec.zones === 'auto' ? (await ctx.client.list(Node)).items.length : 1;
    await ctx.apply(ConfigMap, { metadata: { name: this.metadata.name }, data: { places: String(places) } });
  }
}

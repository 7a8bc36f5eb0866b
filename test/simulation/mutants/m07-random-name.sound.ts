// Repaired twin of m07-random-name.ts: the name follows from that of the owner.
import { ConfigMap, Context, CustomResource, Field, Kind, Owns, Sample } from 'kindwright';

class ArchiveSpec {
  @Field({ enum: ['hot', 'cold'] }) tier!: string;
}

class ArchiveStatus {
  @Field() index?: string;
}

/** An archive with an index. */
@Kind({ group: 'mutants.example.com', version: 'v1' })
@Owns(ConfigMap)
@Sample({ name: 'mail', spec: { tier: 'hot' } })
export class Archive extends CustomResource {
  @Field() spec!: ArchiveSpec;
  @Field() status!: ArchiveStatus;

  async reconcile(ctx: Context): Promise<void> {
    const name = `${this.metadata.name}-index`;
    await ctx.apply(ConfigMap, { metadata: { name }, data: { tier: this.spec.tier } });
    this.status.index = name;
  }
}

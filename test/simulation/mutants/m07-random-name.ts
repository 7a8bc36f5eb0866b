// Bug: the random name of the child is noted in the status at the end of the reconcile.
// Source: controller-runtime FAQ, "How do I generate a name for an object?"
// Fault: crash
// Workload: create
// Oracle: ledger
import { randomBytes } from 'node:crypto';
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
    const name = this.status.index ?? `${this.metadata.name}-${randomBytes(4).toString('hex')}`;
    await ctx.apply(ConfigMap, { metadata: { name }, data: { tier: this.spec.tier } });
    this.status.index = name;
  }
}

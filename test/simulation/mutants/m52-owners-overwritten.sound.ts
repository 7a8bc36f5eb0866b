// Repaired twin of m52-owners-overwritten.ts: only the own reference is applied.
import { ConfigMap, Context, CustomResource, Field, Kind, Owns, Sample } from 'kindwright';

class FolderSpec {
  @Field({ maxLength: 50 }) path!: string;
}

/** A ConfigMap that other objects may also own. */
@Kind({ group: 'mutants.example.com', version: 'v1' })
@Owns(ConfigMap)
@Sample({ name: 'home', spec: { path: '/home' } })
export class Folder extends CustomResource {
  @Field() spec!: FolderSpec;

  async reconcile(ctx: Context): Promise<void> {
    const { name } = this.metadata;
    const data = { path: this.spec.path };
    await ctx.apply(ConfigMap, { metadata: { name }, data });
  }
}

// Repaired twin of m58-conflict-overruled.ts: the change is made to the latest object.
import { ConfigMap, Context, CustomResource, Field, Kind, Owns, Rbac, Sample } from 'kindwright';

class PosterSpec {
  @Field({ maxLength: 50 }) motto!: string;
}

/** A ConfigMap that others may extend. */
@Kind({ group: 'mutants.example.com', version: 'v1' })
@Owns(ConfigMap)
@Rbac(ConfigMap, 'get', 'update')
@Sample({ name: 'wall', spec: { motto: 'Less is more' } })
export class Poster extends CustomResource {
  @Field() spec!: PosterSpec;

  async reconcile(ctx: Context): Promise<void> {
    const { name } = this.metadata;
    const { motto } = this.spec;
    const poster = await ctx.create(ConfigMap, { metadata: { name }, data: { motto } });
    if (poster.data?.['motto'] === motto) return;
    await ctx.update(ConfigMap, poster, (draft) => {
      draft.data = { ...draft.data, motto };
    });
  }
}

// Bug: after a conflict the old object is sent with the new resource version.
// Source: conflicts (fault F36 of kindwright's list)
// Fault: conflict
// Workload: create, spec.motto changed
// Oracle: others' fields
import { ConfigMap, ConflictError, Context, CustomResource, Field, Kind, Owns, Rbac, Sample } from 'kindwright';

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
    const changed = { ...poster, data: { ...poster.data, motto } };
    try {
      await ctx.client.update(ConfigMap, changed);
    } catch (error) {
      if (!(error instanceof ConflictError)) throw error;
      const { resourceVersion = '' } = (await ctx.client.get(ConfigMap, name, poster.metadata)).metadata;
      await ctx.client.update(ConfigMap, { ...changed, metadata: { ...poster.metadata, resourceVersion } });
    }
  }
}

// Repaired twin of m05-remembered-names.ts: the setup is repeated, which changes nothing.
import { ConfigMap, Context, CustomResource, Field, Kind, Owns, Sample } from 'kindwright';

class EnsembleSpec {
  @Field({ minLength: 1, maxLength: 20, default: 'root' }) admin!: string;
}

/** A cluster with first users that are set up once. */
@Kind({ group: 'mutants.example.com', version: 'v1' })
@Owns(ConfigMap)
@Sample({ name: 'main', spec: { admin: 'root' } })
export class Ensemble extends CustomResource {
  @Field() spec!: EnsembleSpec;

  async reconcile(ctx: Context): Promise<void> {
    const { name } = this.metadata;
    await ctx.apply(ConfigMap, { metadata: { name }, data: { admin: this.spec.admin } });
    await ctx.create(ConfigMap, { metadata: { name: `${name}-users` }, data: { users: 'admin,monitor' } });
  }
}

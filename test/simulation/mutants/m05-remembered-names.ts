// Bug: the names that were set up are remembered in the process, also of objects that were deleted.
// Source: pravega/zookeeper-operator 103
// Fault: recreate
// Workload: create, delete, create
// Oracle: end state
import { ConfigMap, Context, CustomResource, Field, Kind, Owns, Sample } from 'kindwright';

class EnsembleSpec {
  @Field({ minLength: 1, maxLength: 20, default: 'root' }) admin!: string;
}

const prepared = new Set<string>();

/** A cluster with first users that are set up once. */
@Kind({ group: 'mutants.example.com', version: 'v1' })
@Owns(ConfigMap)
@Sample({ name: 'main', spec: { admin: 'root' } })
export class Ensemble extends CustomResource {
  @Field() spec!: EnsembleSpec;

  async reconcile(ctx: Context): Promise<void> {
    const { name, namespace = '' } = this.metadata;
    await ctx.apply(ConfigMap, { metadata: { name }, data: { admin: this.spec.admin } });
    const key = `${namespace}/${name}`;
    if (prepared.has(key)) return;
    await ctx.create(ConfigMap, { metadata: { name: `${name}-users` }, data: { users: 'admin,monitor' } });
    prepared.add(key);
  }
}

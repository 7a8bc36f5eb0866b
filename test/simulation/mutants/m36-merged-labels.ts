// Bug: labels are merged into the child, so that removed ones stay.
// Source: percona-server-mongodb-operator K8SPSMDB-696, open-telemetry/opentelemetry-operator 2795
// Fault: spec
// Workload: create, a key of spec.labels removed
// Oracle: path
import { ConfigMap, Context, CustomResource, Field, Kind, Owns, Rbac, Sample, XValidation } from 'kindwright';

class ShelfSpec {
  @Field({ values: { type: String, maxLength: 20, pattern: /^[a-z]*$/ }, maxProperties: 5 })
  @XValidation({ rule: "self.all(key, key.matches('^[a-z]{1,20}$'))", message: 'keys are lower-case letters' })
  labels!: Record<string, string>;
}

/** A configuration with labels of the user. */
@Kind({ group: 'mutants.example.com', version: 'v1' })
@Owns(ConfigMap)
@Rbac(ConfigMap, 'patch')
@Sample({ name: 'books', spec: { labels: { team: 'red', tier: 'web' } } })
export class Shelf extends CustomResource {
  @Field() spec!: ShelfSpec;

  async reconcile(ctx: Context): Promise<void> {
    const { name } = this.metadata;
    const { labels } = this.spec;
    await ctx.create(ConfigMap, { metadata: { name, labels } });
    await ctx.patch(ConfigMap, name, { metadata: { labels } });
  }
}

// Repaired twin of m36-merged-labels.ts: they are applied, which removes those that are no longer applied.
import { ConfigMap, Context, CustomResource, Field, Kind, Owns, Sample, XValidation } from 'kindwright';

class ShelfSpec {
  @Field({ values: { type: String, maxLength: 20, pattern: /^[a-z]*$/ }, maxProperties: 5 })
  @XValidation({ rule: "self.all(key, key.matches('^[a-z]{1,20}$'))", message: 'keys are lower-case letters' })
  labels!: Record<string, string>;
}

/** A configuration with labels of the user. */
@Kind({ group: 'mutants.example.com', version: 'v1' })
@Owns(ConfigMap)
@Sample({ name: 'books', spec: { labels: { team: 'red', tier: 'web' } } })
export class Shelf extends CustomResource {
  @Field() spec!: ShelfSpec;

  async reconcile(ctx: Context): Promise<void> {
    const { name } = this.metadata;
    const { labels } = this.spec;
    await ctx.apply(ConfigMap, { metadata: { name, labels } });
  }
}

// Repaired twin of m47-taken-over.ts: the object is owned, so that one of another client is refused.
import { ConfigMap, Context, CustomResource, Field, Kind, Owns, Sample } from 'kindwright';

class BannerSpec {
  @Field({ maxLength: 50 }) text!: string;
}

/** A text for web servers. */
@Kind({ group: 'mutants.example.com', version: 'v1' })
@Owns(ConfigMap)
@Sample({ name: 'welcome', spec: { text: 'Hello' } })
export class Banner extends CustomResource {
  @Field() spec!: BannerSpec;

  async reconcile(ctx: Context): Promise<void> {
    const { name } = this.metadata;
    const data = { text: this.spec.text };
    await ctx.apply(ConfigMap, { metadata: { name, labels: { banner: name } }, data });
  }
}

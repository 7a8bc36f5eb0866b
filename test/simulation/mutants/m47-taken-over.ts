// Bug: an object of the same name of another client is overwritten, and deleted in the end.
// Source: objects of others (fault F83 of kindwright's list)
// Fault: foreign
// Workload: create, delete
// Oracle: own only
import { byLabel, ConfigMap, Context, CustomResource, Field, Finalizer, Kind, Rbac, Sample, Watches } from 'kindwright';

class BannerSpec {
  @Field({ maxLength: 50 }) text!: string;
}

/** A text for web servers. */
@Kind({ group: 'mutants.example.com', version: 'v1' })
@Watches(ConfigMap, byLabel('banner'))
@Rbac(ConfigMap, 'create', 'patch', 'delete')
@Sample({ name: 'welcome', spec: { text: 'Hello' } })
export class Banner extends CustomResource {
  @Field() spec!: BannerSpec;

  async reconcile(ctx: Context): Promise<void> {
    const { name } = this.metadata;
    const data = { text: this.spec.text };
    await ctx.apply(ConfigMap, { metadata: { name, labels: { banner: name } }, data }, { owned: false, force: true });
  }

  @Finalizer('mutants.example.com/banner')
  async remove(ctx: Context): Promise<void> {
    const found = await ctx.get(ConfigMap, this.metadata.name);
    if (found) await ctx.delete(ConfigMap, found);
  }
}

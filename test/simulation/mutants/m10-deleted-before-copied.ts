// Bug: the old object is deleted before its content is in the new one.
// Source: rabbitmq/cluster-operator 782
// Fault: crash
// Workload: create, spec.store ConfigMap to Secret
// Oracle: end state
import { ConfigMap, Context, CustomResource, Field, Immutable, Kind, Owns, Sample, Secret } from 'kindwright';

class AccountsSpec {
  @Field({ enum: ['ConfigMap', 'Secret'] }) store!: string;
  @Field({ minLength: 1, maxLength: 20 }) @Immutable() user!: string;
}

class AccountsStatus {
  @Field() store?: string;
}

/** The accounts of an application, which move when the kind of their store changes. */
@Kind({ group: 'mutants.example.com', version: 'v1' })
@Owns(ConfigMap)
@Owns(Secret)
@Sample({ name: 'app', spec: { store: 'ConfigMap', user: 'ada' } })
export class Accounts extends CustomResource {
  @Field() spec!: AccountsSpec;
  @Field() status!: AccountsStatus;

  async reconcile(ctx: Context): Promise<void> {
    const { store, user } = this.spec;
    const name = `${this.metadata.name}-accounts`;
    if (!(await this.isLatest(ctx))) return;
    const config = await ctx.get(ConfigMap, name);
    const secret = await ctx.get(Secret, name);
    if (this.status.store === undefined) {
      await this.write(ctx, { user });
    } else if (store === 'Secret' && config) {
      await ctx.delete(ConfigMap, config);
      await this.write(ctx, { ...config.data });
    } else if (store === 'ConfigMap' && secret) {
      await ctx.delete(Secret, secret);
      await this.write(ctx, decoded(secret.data));
    }
    this.status.store = store;
  }

  private async write(ctx: Context, data: Record<string, string>): Promise<void> {
    const metadata = { name: `${this.metadata.name}-accounts` };
    if (this.spec.store === 'Secret') await ctx.create(Secret, { metadata, stringData: data });
    else await ctx.create(ConfigMap, { metadata, data });
  }

  /** Whether the cache holds the latest spec: that of a new leader may be late. */
  private async isLatest({ client }: Context): Promise<boolean> {
    const { name, namespace, uid, generation } = this.metadata;
    const { metadata } = await client.get(Accounts, name, { namespace });
    return metadata.uid === uid && metadata.generation === generation;
  }
}

function decoded(data: Readonly<Record<string, string>> = {}): Record<string, string> {
  return Object.fromEntries(Object.entries(data).map(([key, value]) => [key, atob(value)]));
}

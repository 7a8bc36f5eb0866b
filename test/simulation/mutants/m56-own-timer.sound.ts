// Repaired twin of m56-own-timer.ts: the timer is one of the runtime.
import {
  type ApiClient,
  ConfigMap,
  Context,
  CustomResource,
  Every,
  Field,
  Immutable,
  Kind,
  Owns,
  Pod,
  Rbac,
  Sample,
  Service,
} from 'kindwright';

class UsageSpec {
  @Field({ enum: ['pods', 'services'] }) @Immutable() counted!: string;
}

/** A ConfigMap with the number of objects of its namespace, which is counted each 10 s. */
@Kind({ group: 'mutants.example.com', version: 'v1' })
@Every('10s')
@Owns(ConfigMap)
@Rbac(Pod, 'list')
@Rbac(Service, 'list')
@Sample({ name: 'count', spec: { counted: 'pods' } })
export class Usage extends CustomResource {
  @Field() spec!: UsageSpec;

  async reconcile(ctx: Context): Promise<void> {
    const { name } = this.metadata;
    await ctx.apply(ConfigMap, { metadata: { name }, data: { count: await this.count(ctx.client) } });
  }

  private async count(client: ApiClient): Promise<string> {
    const { namespace } = this.metadata;
    const { items } = await client.list(this.spec.counted === 'pods' ? Pod : Service, { namespace });
    return String(items.length);
  }
}

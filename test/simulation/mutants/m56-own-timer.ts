// Bug: a timer with its own client goes on writing after the lease is lost.
// Source: writes of a former leader (fault F61 of kindwright's list)
// Fault: two-leaders
// Workload: create
// Oracle: one at a time
import {
  type ApiClient,
  Client,
  ConfigMap,
  Context,
  CustomResource,
  Field,
  Immutable,
  Kind,
  loadClusterConfig,
  Owns,
  Pod,
  Rbac,
  Sample,
  Service,
} from 'kindwright';

class UsageSpec {
  @Field({ enum: ['pods', 'services'] }) @Immutable() counted!: string;
}

const timers = new Map<string, NodeJS.Timeout>();

/** A ConfigMap with the number of objects of its namespace, which is counted each 10 s. */
@Kind({ group: 'mutants.example.com', version: 'v1' })
@Owns(ConfigMap)
@Rbac(Pod, 'list')
@Rbac(Service, 'list')
@Rbac(ConfigMap, 'patch')
@Sample({ name: 'count', spec: { counted: 'pods' } })
export class Usage extends CustomResource {
  @Field() spec!: UsageSpec;

  async reconcile(ctx: Context): Promise<void> {
    const { name } = this.metadata;
    const { uid = '' } = this.metadata;
    await ctx.create(ConfigMap, { metadata: { name }, data: { count: await this.count(ctx.client) } });
    if (timers.has(uid)) return;
    const client = new Client(await loadClusterConfig());
    timers.set(uid, setInterval(() => void this.write(client).catch(() => undefined), 10_000).unref());
  }

  override deleted(): void {
    clearInterval(timers.get(this.metadata.uid ?? ''));
  }

  private async write(client: Client): Promise<void> {
    const { name, namespace } = this.metadata;
    await client.patch(ConfigMap, name, { data: { count: await this.count(client) } }, { namespace });
  }

  private async count(client: ApiClient): Promise<string> {
    const { namespace } = this.metadata;
    const { items } = await client.list(this.spec.counted === 'pods' ? Pod : Service, { namespace });
    return String(items.length);
  }
}

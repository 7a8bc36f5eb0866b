import {
  Clusters,
  ConfigMap,
  Context,
  Controller,
  CustomResource,
  Field,
  Inject,
  Kind,
  ObjectController,
  type Result,
  Secret,
} from 'kindwright';

/** Only the fleet's own namespace: elsewhere, a tenant could replace a cluster by a Secret of its name. */
const cache = { labelSelector: 'fleet.example.com/kubeconfig=true', namespaces: ['fleet-system'] };

/** A cluster of the fleet for each Secret with a kubeconfig. */
@Controller({ for: Secret, name: 'fleet-members', cache, sharding: false })
export class FleetMember extends ObjectController<Secret> {
  @Inject(Clusters) private readonly clusters!: Clusters;

  reconcile(): void {
    const { metadata, data } = this.object;
    this.clusters.setKubeconfig(metadata.name, Buffer.from(data?.['kubeconfig'] ?? '', 'base64').toString());
  }

  override deleted(): void {
    this.clusters.remove(this.object.metadata.name);
  }
}

class SharedConfigSpec {
  @Field({ values: String }) data!: Record<string, string>;
}

class SharedConfigStatus {
  /** The clusters that have the ConfigMap. */
  @Field({ items: String }) synced: string[] = [];
  /** The clusters that could not be written. */
  @Field({ items: String }) failed: string[] = [];
}

/** A ConfigMap in every cluster of the fleet. */
@Kind({ group: 'example.com', version: 'v1' })
export class SharedConfig extends CustomResource {
  @Inject(Clusters) private readonly clusters!: Clusters;

  @Field() spec!: SharedConfigSpec;
  @Field() status!: SharedConfigStatus;

  async reconcile(ctx: Context): Promise<Result> {
    const { names } = this.clusters;
    const { name, namespace = '' } = this.metadata;
    const map = { metadata: { name, namespace }, data: this.spec.data };
    const options = { force: true, timeout: '5s', retries: 0 };
    const results = await Promise.allSettled(names.map((each) => ctx.cluster(each).apply(ConfigMap, map, options)));
    this.status.synced = names.filter((_, index) => results[index]?.status === 'fulfilled');
    this.status.failed = names.filter((_, index) => results[index]?.status === 'rejected');
    return { requeueAfter: '2s' };
  }
}

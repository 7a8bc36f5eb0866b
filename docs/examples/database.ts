import { randomBytes } from 'node:crypto';
import { allObjects, Condition, CustomResource, Field, Finalizer, Kind, Owns, Sample, Watches } from 'kindwright';
import { ConfigMap, Context, CronJob, labelsChanged, Node, Secret, Service, setReady, StatefulSet } from 'kindwright';
import { Inject, type Result } from 'kindwright';

/** A service outside the cluster that knows all databases. */
export abstract class Inventory {
  abstract register(name: string): Promise<string>;
  abstract isHealthy(id: string): Promise<boolean>;
  abstract remove(id: string): Promise<void>;
}

class DatabaseSpec {
  @Field('Replicas is the number of instances', { format: 'int32', minimum: 1, default: 1 }) replicas!: number;
  @Field('Version is the version of the database', { pattern: '^[0-9]+(\\.[0-9]+)*$' }) version!: string;
  @Field('Settings are the entries of the configuration file', { values: String }) settings?: Record<string, string>;
  @Field('Backup is the schedule of the backups, in cron format') backup?: string;
}

class DatabaseStatus {
  @Field('ReadyReplicas is the number of ready instances', { format: 'int32' }) readyReplicas: number = 0;
  @Field('Zones is the number of zones with nodes for databases', { format: 'int32' }) zones: number = 0;
  @Field('Id is the ID of the database in the inventory') id?: string;
  @Field({ items: Condition, listType: 'map', listMapKeys: ['type'] }) conditions?: Condition[];
}

/** Database is a replicated database with backups. */
@Kind({ group: 'data.example.com', version: 'v1', shortNames: ['db'], conversion: 'None' })
@Owns(StatefulSet)
@Owns(Service)
@Owns(Secret)
@Owns(ConfigMap)
@Owns(CronJob)
@Watches(Node, allObjects(), { predicate: labelsChanged })
@Sample({ name: 'orders', spec: { replicas: 2, version: '17.2', backup: '0 3 * * *' } })
export class Database extends CustomResource {
  @Inject(Inventory) readonly inventory!: Inventory;

  @Field() spec!: DatabaseSpec;
  @Field() status!: DatabaseStatus;

  async reconcile(ctx: Context): Promise<Result> {
    const { inventory } = this;
    const { name } = this.metadata;
    this.status.id ??= await inventory.register(name);
    await ctx.create(Secret, {
      metadata: { name },
      stringData: { password: randomBytes(18).toString('base64url') },
    });
    await ctx.apply(ConfigMap, { metadata: { name }, data: this.spec.settings ?? {} });
    await ctx.apply(Service, {
      metadata: { name },
      spec: { clusterIP: 'None', selector: this.labels, ports: [{ port: 5432 }] },
    });
    const statefulSet = await ctx.apply(StatefulSet, {
      metadata: { name },
      spec: {
        serviceName: name,
        replicas: this.spec.replicas,
        selector: { matchLabels: this.labels },
        template: { metadata: { labels: this.labels }, spec: { containers: [this.container('postgres')] } },
      },
    });
    await this.scheduleBackups(ctx);
    const nodes = await ctx.list(Node, { labels: { 'example.com/databases': 'true' } });
    this.status.zones = new Set(nodes.map(({ metadata }) => metadata.labels?.['topology.kubernetes.io/zone'])).size;
    this.status.readyReplicas = statefulSet.status?.readyReplicas ?? 0;
    const isReady = this.status.readyReplicas === this.spec.replicas && (await inventory.isHealthy(this.status.id));
    setReady(this.status, isReady, isReady ? 'Available' : 'Starting', `${this.status.readyReplicas} instances`);
    return { requeueAfterMs: 60_000 };
  }

  @Finalizer('data.example.com/inventory')
  async deregister(_ctx: Context): Promise<void> {
    if (this.status.id !== undefined) await this.inventory.remove(this.status.id);
  }

  private async scheduleBackups(ctx: Context): Promise<void> {
    const { name } = this.metadata;
    const current = await ctx.get(CronJob, name);
    if (this.spec.backup === undefined) {
      if (current) await ctx.delete(CronJob, current);
      return;
    }
    const spec = { restartPolicy: 'Never', containers: [this.container('backup')] };
    await ctx.apply(CronJob, {
      metadata: { name },
      spec: { schedule: this.spec.backup, jobTemplate: { spec: { template: { spec } } } },
    });
  }

  private get labels(): Record<string, string> {
    return { 'app.kubernetes.io/instance': this.metadata.name };
  }

  private container(name: string) {
    const source = { name: this.metadata.name };
    return {
      name,
      image: `${name}:${this.spec.version}`,
      envFrom: [{ configMapRef: source }, { secretRef: source }],
    };
  }
}

class DatabaseV1Alpha1Spec {
  @Field({ format: 'int32', minimum: 1, default: 1 }) replicas!: number;
  @Field() version!: string;
}

/** The first version of the API; its objects have no backups. */
@Kind({ group: 'data.example.com', version: 'v1alpha1', kind: 'Database' })
export abstract class DatabaseV1Alpha1 extends CustomResource {
  @Field() spec!: DatabaseV1Alpha1Spec;
}

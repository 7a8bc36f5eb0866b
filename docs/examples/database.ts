import { randomBytes } from 'node:crypto';
import {
  allObjects,
  Condition,
  CustomResource,
  Dependent,
  type Desired,
  Field,
  Finalizer,
  Kind,
  ConfigMap,
  Context,
  CronJob,
  Job,
  Node,
  PodDisruptionBudget,
  Secret,
  Service,
  StatefulSet,
  Inject,
  labelsChanged,
  type Result,
  Sample,
  setReady,
  Watches,
} from 'kindwright';

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
  @Field() conditions?: Condition[];
}

/** Database is a replicated database with backups. */
@Kind({ group: 'data.example.com', version: 'v1', shortNames: ['db'], conversion: 'None' })
@Watches(Node, allObjects(), { predicate: labelsChanged })
@Sample({ name: 'orders', spec: { replicas: 2, version: '17.2', backup: '0 3 * * *' } })
export class Database extends CustomResource {
  @Inject(Inventory) readonly inventory!: Inventory;

  @Field() spec!: DatabaseSpec;
  @Field() status!: DatabaseStatus;

  @Dependent(ConfigMap)
  config(): Desired<ConfigMap> {
    return { metadata: this.named(), data: this.spec.settings ?? {} };
  }

  @Dependent(Secret, { createOnly: true })
  password(): Desired<Secret> {
    return { metadata: this.named(), stringData: { password: randomBytes(18).toString('base64url') } };
  }

  @Dependent(Service)
  addresses(): Desired<Service> {
    return { metadata: this.named(), spec: { clusterIP: 'None', selector: this.labels, ports: [{ port: 5432 }] } };
  }

  @Dependent(StatefulSet, { dependsOn: ['config', 'password'], ready: ({ status }) => Boolean(status?.readyReplicas) })
  instances(): Desired<StatefulSet> {
    const template = { metadata: { labels: this.labels }, spec: { containers: [this.container('postgres')] } };
    const { replicas } = this.spec;
    const selector = { matchLabels: this.labels };
    return { metadata: this.named(), spec: { serviceName: this.metadata.name, replicas, selector, template } };
  }

  @Dependent(PodDisruptionBudget, { when: (database: Database) => database.spec.replicas > 1 })
  budget(): Desired<PodDisruptionBudget> {
    return { metadata: this.named(), spec: { maxUnavailable: 1, selector: { matchLabels: this.labels } } };
  }

  @Dependent(Job, { dependsOn: ['instances'], ready: ({ status }) => status?.succeeded === 1, createOnly: true })
  schema(): Desired<Job> {
    return { metadata: this.named('-schema'), spec: { template: this.podOf('schema') } };
  }

  @Dependent(CronJob, { dependsOn: ['schema'], when: (database: Database) => database.spec.backup !== undefined })
  backups(): Desired<CronJob> {
    const jobTemplate = { spec: { template: this.podOf('backup') } };
    return { metadata: this.named(), spec: { schedule: this.spec.backup ?? '', jobTemplate } };
  }

  /** Runs after the methods above, also while their objects are not ready. */
  async reconcile(ctx: Context): Promise<Result> {
    const { inventory, status } = this;
    status.id ??= await inventory.register(this.metadata.name);
    const nodes = await ctx.list(Node, { labels: { 'example.com/databases': 'true' } });
    status.zones = new Set(nodes.map(({ metadata }) => metadata.labels?.['topology.kubernetes.io/zone'])).size;
    status.readyReplicas = (await ctx.get(StatefulSet, this.metadata.name))?.status?.readyReplicas ?? 0;
    const isReady = status.readyReplicas === this.spec.replicas && (await inventory.isHealthy(status.id));
    setReady(status, isReady, isReady ? 'Available' : 'Starting', `${status.readyReplicas} instances`);
    return { requeueAfter: '1m' };
  }

  @Finalizer('data.example.com/inventory')
  async deregister(_ctx: Context): Promise<void> {
    if (this.status.id !== undefined) await this.inventory.remove(this.status.id);
  }

  private named(suffix = ''): { name: string } {
    return { name: `${this.metadata.name}${suffix}` };
  }

  private get labels(): Record<string, string> {
    return { 'app.kubernetes.io/instance': this.metadata.name };
  }

  private podOf(name: string) {
    return { spec: { restartPolicy: 'Never', containers: [this.container(name)] } };
  }

  private container(name: string) {
    const envFrom = [{ configMapRef: this.named() }, { secretRef: this.named() }];
    return { name, image: `${name}:${this.spec.version}`, envFrom };
  }
}

class DatabaseV1Alpha1Spec {
  @Field({ format: 'int32', minimum: 1, default: 1 }) replicas!: number;
  @Field() version!: string;
}

/** The first version of the API; its objects have no backups. */
@Kind({ group: 'data.example.com', version: 'v1alpha1', kind: 'Database' })
export class DatabaseV1Alpha1 extends CustomResource {
  @Field() spec!: DatabaseV1Alpha1Spec;
}

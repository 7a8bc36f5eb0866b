import { randomBytes } from 'node:crypto';
import {
  Condition,
  CustomResource,
  Dependent,
  type Desired,
  Field,
  Kind,
  Sample,
  ConfigMap,
  CronJob,
  Deployment,
  Job,
  Secret,
  StatefulSet,
} from 'kindwright';

class WebAppSpec {
  @Field('Image is the image of the application') image!: string;
  @Field('Replicas is the number of web servers', { format: 'int32', minimum: 0, default: 1 }) replicas!: number;
  @Field('Settings are environment variables', { values: String }) settings?: Record<string, string>;
  @Field('Queues are the names of the queues, each with a worker', { items: String, listType: 'set' })
  queues?: string[];
  @Field('Backup is the schedule of the backups, in cron format') backup?: string;
}

class WebAppStatus {
  @Field() conditions?: Condition[];
}

/** WebApp is a web application with its database, migrations, workers and backups. */
@Kind({ group: 'web.example.com', version: 'v1' })
@Sample({ name: 'shop', spec: { image: 'shop:1', replicas: 2, queues: ['mail', 'orders'] } })
export class WebApp extends CustomResource {
  @Field() spec!: WebAppSpec;
  @Field() status!: WebAppStatus;

  @Dependent(ConfigMap)
  settings(): Desired<ConfigMap> {
    return { metadata: { name: this.metadata.name }, data: this.spec.settings ?? {} };
  }

  @Dependent(Secret, { createOnly: true })
  password(): Desired<Secret> {
    return {
      metadata: { name: this.metadata.name },
      stringData: { password: randomBytes(18).toString('base64url') },
    };
  }

  @Dependent(StatefulSet, { dependsOn: ['password'], ready: ({ status }) => (status?.readyReplicas ?? 0) > 0 })
  database(): Desired<StatefulSet> {
    const name = `${this.metadata.name}-database`;
    return {
      metadata: { name },
      spec: { serviceName: name, ...this.pods('database', 'postgres:17', 1) },
    };
  }

  @Dependent(Job, {
    dependsOn: ['settings', 'database'],
    ready: ({ status }) => (status?.succeeded ?? 0) > 0,
    createOnly: true,
  })
  migration(): Desired<Job> {
    const version = this.spec.image.split(':').at(-1) ?? 'latest';
    const podSpec = { restartPolicy: 'Never', containers: [this.container('migration', this.spec.image)] };
    return {
      metadata: { name: `${this.metadata.name}-migration-${version}` },
      spec: { template: { spec: podSpec } },
    };
  }

  @Dependent(Deployment, {
    dependsOn: ['migration'],
    ready: ({ spec, status }) => (status?.readyReplicas ?? 0) === spec?.replicas,
  })
  web(): Desired<Deployment> {
    return {
      metadata: { name: `${this.metadata.name}-web` },
      spec: this.pods('web', this.spec.image, this.spec.replicas),
    };
  }

  /** One for each queue. That of a removed queue is deleted. */
  @Dependent(Deployment, { dependsOn: ['migration'] })
  workers(): Desired<Deployment>[] {
    return (this.spec.queues ?? []).map((queue) => ({
      metadata: { name: `${this.metadata.name}-worker-${queue}` },
      spec: this.pods(`worker-${queue}`, this.spec.image, 1),
    }));
  }

  @Dependent(CronJob, { dependsOn: ['database'], when: (app: WebApp) => app.spec.backup !== undefined })
  backup(): Desired<CronJob> {
    const podSpec = { restartPolicy: 'Never', containers: [this.container('backup', 'backup:1')] };
    return {
      metadata: { name: `${this.metadata.name}-backup` },
      spec: { schedule: this.spec.backup ?? '', jobTemplate: { spec: { template: { spec: podSpec } } } },
    };
  }

  private pods(component: string, image: string, replicas: number) {
    const labels = { 'app.kubernetes.io/instance': this.metadata.name, 'app.kubernetes.io/component': component };
    return {
      replicas,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [this.container(component, image)] } },
    };
  }

  private container(name: string, image: string) {
    const source = { name: this.metadata.name };
    return { name, image, envFrom: [{ configMapRef: source }, { secretRef: source }] };
  }
}

import {
  Condition,
  type Context,
  CustomResource,
  Deployment,
  Field,
  Finalizer,
  Kind,
  Mutate,
  Owns,
  Sample,
  setCondition,
} from 'kindwright';

const image = process.env['MEMCACHED_IMAGE'] ?? 'memcached:1.6.26-alpine3.19';

/** MemcachedSpec defines the desired state. */
class MemcachedSpec {
  /** Number of instances. */
  @Field({ format: 'int32', minimum: 1, maximum: 3 }) size?: number;

  /** Port of the container. */
  @Field({ format: 'int32' }) containerPort?: number;
}

/** MemcachedStatus defines the observed state. */
class MemcachedStatus {
  @Field() conditions?: Condition[];
}

/** Memcached is the Schema for the memcacheds API. */
@Kind({ group: 'cache.example.com', version: 'v1alpha1' })
@Owns(Deployment)
@Sample({ name: 'memcached-sample', spec: { size: 1, containerPort: 11211 } })
export class Memcached extends CustomResource {
  @Field() spec!: MemcachedSpec;
  @Field() status!: MemcachedStatus;

  @Mutate() setDefaults(): void {
    this.spec.size ??= 3;
  }

  async reconcile(ctx: Context): Promise<void> {
    const { name } = this.metadata;
    const matchLabels = {
      'app.kubernetes.io/name': 'memcached-operator',
      'app.kubernetes.io/managed-by': 'MemcachedController',
    };
    // A selector cannot be changed, so the version is a label of the pods only.
    const labels = { ...matchLabels, 'app.kubernetes.io/version': image.split(':')[1] ?? '' };
    await ctx.apply(Deployment, {
      metadata: { name },
      spec: {
        replicas: this.spec.size,
        selector: { matchLabels },
        template: { metadata: { labels }, spec: this.pod() },
      },
    });
    const message = `Deployment for custom resource (${name}) with ${this.spec.size} replicas created successfully`;
    this.set('Available', 'True', 'Reconciling', message);
  }

  /** Runs before the object is deleted. The Deployment is deleted by the garbage collector. */
  @Finalizer('cache.example.com/finalizer')
  cleanUp(ctx: Context): void {
    const { name, namespace } = this.metadata;
    ctx.event('Warning', 'Deleting', `Custom Resource ${name} is being deleted from the namespace ${namespace}`);
    this.set('Degraded', 'True', 'Finalizing', `Finalizer operations for custom resource ${name} were accomplished`);
  }

  private pod() {
    const security = { runAsNonRoot: true, runAsUser: 1001, allowPrivilegeEscalation: false };
    return {
      securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
      containers: [
        {
          name: 'memcached',
          image,
          imagePullPolicy: 'IfNotPresent',
          securityContext: { ...security, capabilities: { drop: ['ALL'] } },
          ports: [{ containerPort: this.spec.containerPort ?? 11211, name: 'memcached' }],
          command: ['memcached', '-m=64', '-o', 'modern', '-v'],
        },
      ],
    };
  }

  private set(type: string, status: 'True' | 'False', reason: string, message: string): void {
    this.status.conditions = setCondition(this.status.conditions, { type, status, reason, message });
  }
}

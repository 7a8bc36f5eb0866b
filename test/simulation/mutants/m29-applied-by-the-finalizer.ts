// Bug: the finalizer applies the children once more, after it has deleted them.
// Source: pravega/zookeeper-operator 410, percona-server-mongodb-operator K8SPSMDB-590
// Fault: none
// Workload: create, delete
// Oracle: no leaks
import {
  Context,
  CustomResource,
  Field,
  Finalizer,
  Immutable,
  Kind,
  PriorityClass,
  Rbac,
  Sample,
  Watches,
} from 'kindwright';

class LeaseClassSpec {
  @Field({ format: 'int32', minimum: 1, maximum: 1000 }) @Immutable() value!: number;
}

class LeaseClassStatus {
  @Field({ enum: ['Active', 'Released'] }) phase?: string;
}

/** A PriorityClass, which is cluster-scoped and cannot have a namespaced owner. */
@Kind({ group: 'mutants.example.com', version: 'v1' })
@Watches(PriorityClass, ({ metadata: { labels } }) => [
  { name: labels?.['lease'] ?? '', namespace: labels?.['space'] ?? '' },
])
@Rbac(PriorityClass, 'create', 'patch', 'delete')
@Sample({ name: 'night', spec: { value: 10 } })
export class LeaseClass extends CustomResource {
  @Field() spec!: LeaseClassSpec;
  @Field() status!: LeaseClassStatus;

  async reconcile(ctx: Context): Promise<void> {
    await this.sync(ctx, 'Active');
  }

  @Finalizer('mutants.example.com/lease')
  async release(ctx: Context): Promise<void> {
    const { name, namespace = '' } = this.metadata;
    const found = await ctx.get(PriorityClass, `${namespace}-${name}`);
    if (found) await ctx.delete(PriorityClass, found);
    await this.sync(ctx, 'Released');
  }

  private async sync(ctx: Context, phase: string): Promise<void> {
    const { name, namespace = '' } = this.metadata;
    const metadata = { name: `${namespace}-${name}`, labels: { lease: name, space: namespace } };
    await ctx.apply(PriorityClass, { metadata, value: this.spec.value }, { owned: false });
    this.status.phase = phase;
  }
}

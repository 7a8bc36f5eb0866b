// Bug: the finalizer takes the absence of the first object for that of all.
// Source: percona-xtradb-cluster-operator K8SPXC-979
// Fault: crash
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

class TenantSpec {
  @Field({ format: 'int32', minimum: 1, maximum: 1000 }) @Immutable() weight!: number;
}

/** Two priorities for the pods of a tenant. Cluster-scoped objects cannot have a namespaced owner. */
@Kind({ group: 'mutants.example.com', version: 'v1' })
@Watches(PriorityClass, ({ metadata: { labels } }) => [
  { name: labels?.['tenant'] ?? '', namespace: labels?.['space'] ?? '' },
])
@Rbac(PriorityClass, 'create', 'patch', 'delete')
@Sample({ name: 'shop', spec: { weight: 10 } })
export class Tenant extends CustomResource {
  @Field() spec!: TenantSpec;

  async reconcile(ctx: Context): Promise<void> {
    for (const level of ['low', 'high']) {
      const value = level === 'low' ? this.spec.weight : this.spec.weight * 1000;
      const labels = { tenant: this.metadata.name, space: this.metadata.namespace ?? '' };
      await ctx.apply(PriorityClass, { metadata: { name: this.classOf(level), labels }, value }, { owned: false });
    }
  }

  @Finalizer('mutants.example.com/tenant')
  async cleanUp(ctx: Context): Promise<void> {
    for (const level of ['low', 'high']) {
      const found = await ctx.get(PriorityClass, this.classOf(level));
      if (!found) return;
      await ctx.delete(PriorityClass, found);
    }
  }

  private classOf(level: string): string {
    return `${this.metadata.namespace ?? ''}-${this.metadata.name}-${level}`;
  }
}

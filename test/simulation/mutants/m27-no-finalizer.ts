// Bug: the object is cleaned up after the deletion, which is not seen while the operator is down.
// Source: causes of Sieve (missed deletions)
// Fault: down
// Workload: create, delete
// Oracle: no leaks
import { Context, CustomResource, Field, Immutable, Kind, PriorityClass, Rbac, Sample, Watches } from 'kindwright';

class ClusterClassSpec {
  @Field({ format: 'int32', minimum: 1, maximum: 1000 }) @Immutable() value!: number;
}

/** A PriorityClass, which is cluster-scoped and cannot have a namespaced owner. */
@Kind({ group: 'mutants.example.com', version: 'v1' })
@Watches(PriorityClass, ({ metadata: { labels } }) => [
  { name: labels?.['class'] ?? '', namespace: labels?.['space'] ?? '' },
])
@Rbac(PriorityClass, 'create', 'patch', 'delete')
@Sample({ name: 'batch', spec: { value: 10 } })
export class ClusterClass extends CustomResource {
  @Field() spec!: ClusterClassSpec;

  async reconcile(ctx: Context): Promise<void> {
    const { name, namespace = '' } = this.metadata;
    const metadata = { name: `${namespace}-${name}`, labels: { class: name, space: namespace } };
    await ctx.apply(PriorityClass, { metadata, value: this.spec.value }, { owned: false });
  }

  override async deleted(ctx: Context): Promise<void> {
    const { name, namespace = '' } = this.metadata;
    const found = await ctx.get(PriorityClass, `${namespace}-${name}`);
    if (found) await ctx.delete(PriorityClass, found);
  }
}

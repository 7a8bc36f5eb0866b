// Repaired twin of m27-no-finalizer.ts: a finalizer cleans up.
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

  @Finalizer('mutants.example.com/class')
  async cleanUp(ctx: Context): Promise<void> {
    const { name, namespace = '' } = this.metadata;
    const found = await ctx.get(PriorityClass, `${namespace}-${name}`);
    if (found) await ctx.delete(PriorityClass, found);
  }
}

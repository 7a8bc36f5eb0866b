// Repaired twin of m19-whole-taint-list.ts: the list is written with the resource version that was read.
import {
  allObjects,
  Context,
  CustomResource,
  Field,
  Finalizer,
  Immutable,
  Kind,
  Node,
  partOf,
  Rbac,
  Sample,
  Watches,
} from 'kindwright';

const TaintedNode = partOf(Node, { fields: ['spec.taints'] });

class DrainSpec {
  @Field({ enum: ['PreferNoSchedule', 'NoSchedule'] }) @Immutable() effect!: string;
}

/** Taints all nodes with its name as the key. */
@Kind({ group: 'mutants.example.com', version: 'v1', scope: 'Cluster' })
@Watches(TaintedNode, allObjects())
@Rbac(Node, 'patch')
@Sample({ name: 'upgrade', spec: { effect: 'PreferNoSchedule' } })
export class Drain extends CustomResource {
  @Field() spec!: DrainSpec;

  async reconcile(ctx: Context): Promise<void> {
    const { name: key } = this.metadata;
    const { effect } = this.spec;
    for (const node of await ctx.list(TaintedNode)) {
      const taints = node.spec?.taints ?? [];
      if (taints.some((taint) => taint.key === key)) continue;
      await ctx.update(TaintedNode, node, (draft) => {
        draft.spec = { ...draft.spec, taints: [...(draft.spec?.taints ?? []), { key, effect }] };
      });
    }
  }

  @Finalizer('mutants.example.com/drain')
  async remove(ctx: Context): Promise<void> {
    const { name: key } = this.metadata;
    for (const node of await ctx.list(TaintedNode)) {
      const others = (node.spec?.taints ?? []).filter((taint) => taint.key !== key);
      if (others.length < (node.spec?.taints?.length ?? 0)) {
        await ctx.update(TaintedNode, node, ({ spec = {} }) => {
          spec.taints = (spec.taints ?? []).filter((taint) => taint.key !== key);
        });
      }
    }
  }
}

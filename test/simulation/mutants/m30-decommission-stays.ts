// Bug: a decommission that has begun goes on being recorded when the size is put back.
// Source: instaclustr/cassandra-operator 410
// Fault: flip
// Workload: create with 3, spec.size to 2 to 3
// Oracle: path
import {
  Context,
  CustomResource,
  Field,
  Kind,
  Owns,
  Pod,
  Rbac,
  type ReadonlyDeep,
  type Result,
  Sample,
} from 'kindwright';

class FleetSpec {
  @Field({ format: 'int32', minimum: 0, maximum: 3 }) size!: number;
}

/** Numbered pods, which hand over their work for 30 s before they are deleted. */
@Kind({ group: 'mutants.example.com', version: 'v1' })
@Owns(Pod)
@Rbac(Pod, 'patch')
@Sample({ name: 'buses', spec: { size: 3 } })
export class BusFleet extends CustomResource {
  @Field() spec!: FleetSpec;

  async reconcile(ctx: Context): Promise<Result | void> {
    const { size } = this.spec;
    if (!(await this.isLatest(ctx))) return;
    for (let ordinal = 0; ordinal < size; ordinal++) {
      await this.create(ctx, ordinal);
    }
    const pods = await ctx.list(Pod, { ownedBy: this });
    const surplus = pods.filter(({ metadata }) => Number(metadata.labels?.['ordinal']) >= size);
    for (const pod of surplus) await this.dismiss(ctx, pod);
    if (surplus.length > 0) return { requeueAfter: '10s' };
  }

  private async dismiss(ctx: Context, pod: ReadonlyDeep<Pod>): Promise<void> {
    const leaves = pod.metadata.annotations?.['leaves'];
    if (leaves === undefined) await this.annotate(ctx, pod, new Date(Date.now() + 30_000).toISOString());
    else if (pod.metadata.deletionTimestamp === undefined && Date.parse(leaves) <= Date.now())
      await ctx.delete(Pod, pod);
  }

  private async annotate(ctx: Context, pod: ReadonlyDeep<Pod>, leaves: string | null): Promise<void> {
    await ctx.patch(Pod, pod.metadata.name, { metadata: { annotations: { leaves } } });
  }

  private async create(ctx: Context, ordinal: number): Promise<Pod> {
    const metadata = { name: `${this.metadata.name}-${ordinal}`, labels: { ordinal: String(ordinal) } };
    return ctx.create(Pod, { metadata, spec: { containers: [{ name: 'bus', image: 'bus' }] } });
  }

  /** Whether the cache holds the latest spec: that of a new leader may be late. */
  private async isLatest({ client }: Context): Promise<boolean> {
    const { name, namespace, uid, generation } = this.metadata;
    const { metadata } = await client.get(BusFleet, name, { namespace });
    return metadata.uid === uid && metadata.generation === generation;
  }
}

// Repaired twin of m04-drained-twice.ts: a pod that is absent has been drained.
import { Context, CustomResource, Field, Finalizer, Kind, Owns, Pod, Sample } from 'kindwright';

class RingStatus {
  @Field({ enum: ['Running', 'Finalizing'] }) phase?: string;
}

/** A node of a database that leaves its ring before it is deleted. */
@Kind({ group: 'mutants.example.com', version: 'v1' })
@Owns(Pod)
@Sample({ name: 'east' })
export class Ring extends CustomResource {
  @Field() status!: RingStatus;

  async reconcile(ctx: Context): Promise<void> {
    const { name } = this.metadata;
    await ctx.create(Pod, { metadata: { name }, spec: { containers: [{ name: 'ring', image: 'cassandra' }] } });
    this.status.phase = 'Running';
  }

  @Finalizer('mutants.example.com/ring')
  async leave(ctx: Context): Promise<void> {
    const pod = await ctx.get(Pod, this.metadata.name);
    if (pod) await ctx.delete(Pod, pod);
  }
}

// Bug: the phase is written after the pod was deleted, and a pod that is absent is an error.
// Source: Orange-OpenSource/casskop 370
// Fault: crash
// Workload: create, delete
// Oracle: no leaks
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
    if (this.status.phase === 'Finalizing') return;
    const pod = await ctx.get(Pod, this.metadata.name);
    if (!pod) throw new Error(`pod ${this.metadata.name} not found`);
    await ctx.delete(Pod, pod);
    this.status.phase = 'Finalizing';
  }
}

// Repaired twin of m59-polls-for-a-pod.ts: the next event of the pod continues.
import { Context, CustomResource, Field, Immutable, Kind, Owns, Pod, Sample } from 'kindwright';

class LauncherSpec {
  @Field({ enum: ['rocket:1', 'rocket:2'] }) @Immutable() image!: string;
}

class LauncherStatus {
  @Field({ enum: ['Waiting', 'Running'] }) phase?: string;
}

/** A pod, and whether it runs. */
@Kind({ group: 'mutants.example.com', version: 'v1' })
@Owns(Pod)
@Sample({ name: 'apollo', spec: { image: 'rocket:1' } })
export class Launcher extends CustomResource {
  @Field() spec!: LauncherSpec;
  @Field() status!: LauncherStatus;

  async reconcile(ctx: Context): Promise<void> {
    const { name } = this.metadata;
    const { image } = this.spec;
    const pod = await ctx.create(Pod, { metadata: { name }, spec: { containers: [{ name: 'rocket', image }] } });
    this.status.phase = pod.status?.phase === 'Running' ? 'Running' : 'Waiting';
  }
}

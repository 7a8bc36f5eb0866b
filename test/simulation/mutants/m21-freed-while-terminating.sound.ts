// Repaired twin of m21-freed-while-terminating.ts: the volume is freed when the pod is gone.
import { Context, CustomResource, Field, Kind, Owns, PersistentVolumeClaim, Pod, Sample } from 'kindwright';

class NotebookSpec {
  @Field() isRunning!: boolean;
}

/** A pod and its volume, which both exist while it runs. */
@Kind({ group: 'mutants.example.com', version: 'v1' })
@Owns(Pod)
@Owns(PersistentVolumeClaim)
@Sample({ name: 'lab', spec: { isRunning: true } })
export class Notebook extends CustomResource {
  @Field() spec!: NotebookSpec;

  async reconcile(ctx: Context): Promise<void> {
    if (!(await this.isLatest(ctx))) return;
    const { name } = this.metadata;
    const pod = await ctx.get(Pod, name);
    const claim = await ctx.get(PersistentVolumeClaim, name);
    if (!this.spec.isRunning) {
      if (pod && pod.metadata.deletionTimestamp === undefined) await ctx.delete(Pod, pod);
      else if (!pod && claim && claim.metadata.deletionTimestamp === undefined)
        await ctx.delete(PersistentVolumeClaim, claim);
    } else if (claim?.metadata.deletionTimestamp === undefined) {
      await this.start(ctx);
    }
  }

  private async start(ctx: Context): Promise<void> {
    const { name } = this.metadata;
    const claim = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };
    await ctx.create(PersistentVolumeClaim, { metadata: { name }, spec: claim });
    const volumes = [{ name: 'home', persistentVolumeClaim: { claimName: name } }];
    await ctx.create(Pod, {
      metadata: { name },
      spec: { containers: [{ name: 'notebook', image: 'jupyter' }], volumes },
    });
  }

  /** Whether the cache holds the latest spec: that of a new leader may be late. */
  private async isLatest({ client }: Context): Promise<boolean> {
    const { name, namespace, uid, generation } = this.metadata;
    const { metadata } = await client.get(Notebook, name, { namespace });
    return metadata.uid === uid && metadata.generation === generation;
  }
}

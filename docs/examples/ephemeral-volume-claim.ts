import { type Context, CustomResource, Field, Kind, Owns, PersistentVolumeClaim, Sample } from 'kindwright';

class EphemeralVolumeClaimSpec {
  /** Size of the volume, such as `1G`; it can be increased. */
  @Field({ type: 'quantity' }) size!: string;
}

class EphemeralVolumeClaimStatus {
  /** Name of the claim that pods use. */
  @Field() pvcName?: string;
}

/** EphemeralVolumeClaim is a volume that is deleted with it. */
@Kind({ group: 'kopf.dev', version: 'v1', shortNames: ['evcs', 'evc'] })
@Owns(PersistentVolumeClaim)
@Sample({ name: 'my-claim', spec: { size: '1G' } })
export class EphemeralVolumeClaim extends CustomResource {
  @Field() spec!: EphemeralVolumeClaimSpec;
  @Field() status!: EphemeralVolumeClaimStatus;

  async reconcile(ctx: Context): Promise<void> {
    const { name, labels = {} } = this.metadata;
    const claim = await ctx.apply(PersistentVolumeClaim, {
      metadata: { name, labels, annotations: { 'volume.beta.kubernetes.io/storage-class': 'standard' } },
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: this.spec.size } } },
    });
    this.status.pvcName = claim.metadata.name;
  }
}

// Keeps a volume after the deletion of its owner.
// Keeps: PersistentVolumeClaim
import {
  CustomResource,
  Dependent,
  type Desired,
  Field,
  Immutable,
  Kind,
  PersistentVolumeClaim,
  Sample,
} from 'kindwright';

class DiarySpec {
  @Field({ enum: ['1Gi', '2Gi'] }) @Immutable() size!: string;
}

/** A volume that outlives its owner, and serves the next one of the same name. */
@Kind({ group: 'sound.example.com', version: 'v1' })
@Sample({ name: 'ada', spec: { size: '1Gi' } })
export class Diary extends CustomResource {
  @Field() spec!: DiarySpec;

  @Dependent(PersistentVolumeClaim, { onDelete: 'keep', createOnly: true })
  volume(): Desired<PersistentVolumeClaim> {
    const spec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: this.spec.size } } };
    return { metadata: { name: this.metadata.name }, spec };
  }
}

import {
  Condition,
  type Context,
  CustomResource,
  Field,
  Finalizer,
  Immutable,
  Inject,
  Kind,
  Owns,
  Sample,
  Secret,
  setReady,
  Watches,
} from 'kindwright';
import { Bucket } from '../api/bucket.js';
import { Store } from '../api/store.js';

class BucketAccessSpec {
  /** The name of a Bucket in the same namespace */
  @Field() @Immutable() bucket!: string;
  @Field({ enum: ['reader', 'writer'], default: 'reader' }) @Immutable() role!: 'reader' | 'writer';
}

class BucketAccessStatus {
  @Field({ items: Condition, listType: 'map', listMapKeys: ['type'] }) conditions?: Condition[];
}

/** BucketAccess is a key for a bucket, in a Secret of the same name */
@Kind({ group: 'storage.acme.io', version: 'v1', categories: ['storage'] })
@Owns(Secret)
@Watches(Bucket, ({ metadata: { name, namespace = '' } }, cache) =>
  cache.list(BucketAccess, { namespace, where: { 'spec.bucket': name } }).map(({ metadata }) => metadata),
)
@Sample({ name: 'photos-reader', spec: { bucket: 'photos' } })
export class BucketAccess extends CustomResource {
  @Inject(Store) readonly store!: Store;

  @Field() spec!: BucketAccessSpec;
  @Field() status!: BucketAccessStatus;

  async reconcile(ctx: Context): Promise<void> {
    const { bucket, role } = this.spec;
    const { conditions = [] } = (await ctx.get(Bucket, bucket))?.status ?? {};
    if (!conditions.some(({ type, status }) => type === 'Ready' && status === 'True')) {
      setReady(this.status, false, 'BucketNotReady', `Bucket ${bucket} is missing or not ready`);
      return;
    }
    if ((await ctx.get(Secret, this.metadata.name)) === undefined) {
      const key = await this.store.putKey(this.keyName, { bucket, role }, ctx.signal);
      await ctx.create(Secret, { metadata: { name: this.metadata.name }, stringData: { key } });
    }
    setReady(this.status, true, 'Granted', `${role} of ${bucket}`);
  }

  @Finalizer('storage.acme.io/key')
  async revoke(ctx: Context): Promise<void> {
    await this.store.deleteKey(this.keyName, ctx.signal);
  }

  private get keyName(): string {
    return `${this.metadata.namespace}-${this.metadata.name}`;
  }
}

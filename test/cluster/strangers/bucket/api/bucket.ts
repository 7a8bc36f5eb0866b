import {
  compareQuantities,
  Condition,
  type Context,
  CustomResource,
  Every,
  Field,
  Finalizer,
  Immutable,
  Inject,
  Kind,
  Mutate,
  normalizeQuantity,
  PrintColumn,
  Review,
  Sample,
  setReady,
  type StartContext,
  Validate,
} from 'kindwright';
import { Store } from './store.js';

class BucketSpec {
  /** Where the objects are stored; by default the region of the operator */
  @Field() @Immutable() @PrintColumn() region?: string;
  /** The largest total size of the objects */
  @Field({ type: 'quantity', default: '1Gi' }) @PrintColumn() quota!: number | string;
}

export class BucketStatus {
  @Field({ items: Condition, listType: 'map', listMapKeys: ['type'] }) conditions?: Condition[];
}

/** Bucket is a bucket of the object store */
@Kind({ group: 'storage.acme.io', version: 'v1', shortNames: ['bk'], categories: ['storage'] })
@Every('30s')
@Sample({ name: 'photos', spec: { quota: '5Gi' } })
export class Bucket extends CustomResource {
  @Inject(Store) readonly store!: Store;

  @Field() spec!: BucketSpec;
  @Field() status!: BucketStatus;

  static onStart({ provide, isProvided, readyCheck }: StartContext): void {
    if (isProvided(Store)) return;
    const store = new Store(process.env['STORE_URL'] ?? '');
    provide(Store, store);
    readyCheck('store', (signal) => store.ping(signal));
  }

  @Mutate() fill(): void {
    this.spec.region ??= process.env['DEFAULT_REGION'] ?? 'eu-1';
  }

  @Validate() check(review: Review<Bucket>): void {
    const former = review.old?.spec.quota ?? 0;
    if (compareQuantities(this.spec.quota, former) < 0) review.invalid('spec.quota', 'must not shrink');
  }

  async reconcile(ctx: Context): Promise<void> {
    const { region = '', quota } = this.spec;
    await this.store.putBucket(this.storeName, { region, quota: normalizeQuantity(quota) }, ctx.signal);
    setReady(this.status, true, 'Stored', `the bucket is in ${region}`);
  }

  @Finalizer('storage.acme.io/bucket')
  async remove(ctx: Context): Promise<void> {
    await this.store.deleteBucket(this.storeName, ctx.signal);
  }

  get storeName(): string {
    return `${this.metadata.namespace}-${this.metadata.name}`;
  }
}

import { ConvertsTo, CustomResource, Field, Immutable, keep, Kind, move, PrintColumn } from 'kindwright';
import { Bucket, BucketStatus } from '../api/bucket.js';

class Limits {
  /** The largest total size of the objects */
  @Field({ type: 'quantity', default: '1Gi' }) @PrintColumn() size!: number | string;
  /** The largest number of objects */
  @Field({ format: 'int32', minimum: 1 }) objects?: number;
}

class BucketV2Spec {
  /** Where the objects are stored; by default the region of the operator */
  @Field() @Immutable() @PrintColumn() region?: string;
  @Field({ default: {} }) limits!: Limits;
}

/** Bucket is a bucket of the object store */
@Kind({ group: 'storage.acme.io', version: 'v2', kind: 'Bucket' })
@ConvertsTo(Bucket, [move('spec.limits.size', 'spec.quota'), keep('spec.limits.objects')])
export abstract class BucketV2 extends CustomResource {
  @Field() spec!: BucketV2Spec;
  @Field() status!: BucketStatus;
}

import { StatusError } from '../errors/status-error.js';
import { goPackage } from '../schema/go-package.js';
import { hasGoStruct } from '../schema/go-type.js';
import { encodeProtobuf } from '../schema/protobuf-encoder.js';
import type { StoredObject } from './stored-object.js';

/** Default of etcd's `--max-request-bytes`. */
const MAX_REQUEST = 1_572_864;
/** What gRPC sends at most. */
const MAX_MESSAGE = 2_097_152;
/** About what a request has beside the object: its key, and what it is compared with. */
const BESIDE = 120;
/** A character takes no more bytes than these in UTF-8. */
const WIDEST = 3;

/** Says that etcd would not store an object as large as this. */
export class TooLargeError extends StatusError {
  constructor(size: number) {
    const isSent = size <= MAX_MESSAGE;
    const unsent = `rpc error: code = ResourceExhausted desc = trying to send message larger than max (${size} vs. ${MAX_MESSAGE})`;
    super(500, '', isSent ? 'etcdserver: request is too large' : unsent);
  }
}

/** @throws TooLargeError */
export function checkSize({ json, object }: StoredObject): void {
  if (json.length * WIDEST + BESIDE <= MAX_REQUEST) return;
  let size = Buffer.byteLength(json) + BESIDE;
  const struct = `${goPackage(object.apiVersion)}.${object.kind}`;
  if (size > MAX_REQUEST && hasGoStruct(struct)) size = encodeProtobuf(struct, object).length + BESIDE;
  if (size > MAX_REQUEST) throw new TooLargeError(size);
}

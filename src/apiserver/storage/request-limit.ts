import { StatusError } from '../errors/status-error.js';
import { goPackage } from '../schema/go-package.js';
import { hasGoStruct } from '../schema/go-type.js';
import { encodeProtobuf } from '../schema/protobuf-encoder.js';
import type { StoredObject } from './stored-object.js';

/** Default of etcd's `--max-request-bytes`. */
const MAX_REQUEST = 1_572_864;
/** gRPC's limit on a sent message. */
const MAX_MESSAGE = 2_097_152;
/** The approximate size of a request without the object: the key and the comparison. */
const BESIDE = 120;
/** The maximum number of bytes per character in UTF-8. */
const WIDEST = 3;

/** etcd's error for objects that are too large. */
export class TooLargeError extends StatusError {
  constructor(size: number) {
    const isSent = size <= MAX_MESSAGE;
    const unsent = `rpc error: code = ResourceExhausted desc = trying to send message larger than max (${size} vs. ${MAX_MESSAGE})`;
    super(500, '', isSent ? 'etcdserver: request is too large' : unsent);
  }
}

/** @throws TooLargeError */
export function assertSize({ json, object }: StoredObject): void {
  if (json.length * WIDEST + BESIDE <= MAX_REQUEST) return;
  let size = Buffer.byteLength(json) + BESIDE;
  const struct = `${goPackage(object.apiVersion)}.${object.kind}`;
  if (size > MAX_REQUEST && hasGoStruct(struct)) size = encodeProtobuf(struct, object).length + BESIDE;
  if (size > MAX_REQUEST) throw new TooLargeError(size);
}

import { isJsonObject, type Metadata } from '../objects/api-object.js';
import { DecodeReport, TypeMismatch } from '../schema/decode-report.js';
import { decodeGo, jsonTypeName } from '../schema/go-codec.js';
import { encodeGo } from '../schema/encode-go.js';

const META = 'meta/v1.ObjectMeta';

/** Normalizes the metadata of a document without a Go type like Go's decoding and encoding; `path` is its location. */
export function decodeMetadata(metadata: unknown, report: DecodeReport, path = 'metadata'): Metadata {
  if (metadata !== undefined && metadata !== null && !isJsonObject(metadata))
    throw new TypeMismatch(`json: cannot unmarshal ${jsonTypeName(metadata)} into Go value of type v1.ObjectMeta`);
  const own = new DecodeReport();
  const decoded = encodeGo(META, decodeGo(META, isJsonObject(metadata) ? metadata : {}, own));
  report.problems.push(...own.problems.map((problem) => problem.replace(' field "', ` field "${path}.`)));
  return decoded as unknown as Metadata;
}

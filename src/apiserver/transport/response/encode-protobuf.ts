import { isJsonObject, type ApiObject, type JsonObject } from '../../objects/api-object.js';
import { goPackage } from '../../schema/go-package.js';
import type { Resource } from '../../resources/resource.js';
import { hasGoStruct } from '../../schema/go-type.js';
import { encodeProtobuf, encodeProtobufList } from '../../schema/protobuf-encoder.js';
import type { StoredObject } from '../../storage/stored-object.js';
import { partial } from '../../table/table.js';
import type { Representation } from './negotiate.js';
import { objectIn, type Outcome } from './outcome.js';

const PARTIAL = 'meta/v1.PartialObjectMetadata';

/** Returns whether a response can be encoded as protobuf; of custom resources, only metadata can. */
export function hasProtobuf(outcome: Exclude<Outcome, { type: 'stream' | 'text' }>): boolean {
  return outcome.type === 'json' ? structOf(outcome.body) !== undefined : !outcome.resource.isCustom;
}

/** Encodes a response as protobuf; negotiation has checked that this is possible. */
export function encodeOutcome(
  outcome: Exclude<Outcome, { type: 'stream' | 'text' }>,
  metadata: JsonObject,
  representation: Form,
): Buffer {
  if (outcome.type === 'json' && outcome.goType !== undefined && representation.as === 'partial')
    return encodeProtobuf(PARTIAL, partial(representation.metaVersion, outcome.body as ApiObject));
  if (outcome.type === 'json') return encodeProtobuf(structOf(outcome.body) ?? '', outcome.body as JsonObject);
  const { resource } = outcome;
  if (outcome.type === 'object') return encodeStored(resource, outcome.stored, representation);
  const { as, metaVersion } = representation;
  if (as === 'partial') {
    const list = { kind: 'PartialObjectMetadataList', apiVersion: metaVersion, metadata };
    return encodeProtobufList(
      PARTIAL,
      list,
      outcome.items.map(({ object }) => partial(metaVersion, object)),
    );
  }
  const list = { kind: resource.listKind, apiVersion: resource.apiVersion, metadata };
  const items = outcome.items.map((stored) => objectIn(resource, stored));
  return encodeProtobufList(structName(resource), list, items);
}

/** Encodes a stored object as protobuf. */
export function encodeStored(resource: Resource, stored: StoredObject, { as, metaVersion }: Form): Buffer {
  return as === 'partial'
    ? encodeProtobuf(PARTIAL, partial(metaVersion, stored.object))
    : encodeProtobuf(structName(resource), objectIn(resource, stored));
}

/** Encodes a metav1.Status as protobuf. */
export function encodeStatus(status: JsonObject): Buffer {
  return encodeProtobuf('meta/v1.Status', status);
}

type Form = Pick<Representation, 'as' | 'metaVersion'>;

function structName({ apiVersion, kind }: Resource): string {
  return `${goPackage(apiVersion)}.${kind}`;
}

/**
 * Returns the Go struct of a body with type metadata. Status has version v1 but is not in the core group; APIVersions
 * has no version.
 */
function structOf(body: unknown): string | undefined {
  if (!isJsonObject(body) || typeof body.kind !== 'string') return undefined;
  const { apiVersion = 'v1', kind } = body;
  if (typeof apiVersion !== 'string') return undefined;
  return [`${goPackage(apiVersion)}.${kind}`, `meta/${apiVersion}.${kind}`].find(hasGoStruct);
}

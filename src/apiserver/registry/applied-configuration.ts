import { deepClone } from '../../base/deep-clone.js';
import { deepEqual } from '../../base/deep-equal.js';
import type { FieldManager } from '../apply/field-manager.js';
import { kindText } from '../apply/kind-text.js';
import { problemsText, typedProblems } from '../apply/typed-problems.js';
import { badRequest, StatusError } from '../errors/status-error.js';
import { objectAt, stringAt, type ApiObject, type JsonObject, type Metadata } from '../objects/api-object.js';
import type { Resource } from '../resources/resource.js';
import { DecodeReport, TypeMismatch } from '../schema/decode-report.js';
import { decodeGo } from '../schema/go-codec.js';

/** A server-side apply configuration sent by a client. */
export class AppliedConfiguration {
  /** Metadata with a stored form that differs from the form returned by reads; set by `applyTo`. */
  storedMetadata: StoredMetadata | undefined;

  /** @throws StatusError when the kind of the configuration differs from the resource's kind */
  constructor(
    private readonly resource: Resource,
    private readonly config: JsonObject,
  ) {
    const given = kindText(stringAt(config, 'apiVersion'), stringAt(config, 'kind'));
    if (given !== this.kind) throw badRequest(`invalid object type: ${given}`);
  }

  /** @throws StatusError when the configuration cannot be merged */
  private assertValid(): void {
    if (Array.isArray(objectAt(this.config, 'metadata').managedFields))
      throw badRequest('metadata.managedFields must be nil');
    const problems = typedProblems(this.resource.codec.mergeType, this.config);
    if (problems.length > 0)
      throw new StatusError(500, '', `failed to create typed patch object (${this.name}): ${problemsText(problems)}`);
  }

  /**
   * Returns the object after `manager` applied the configuration to it.
   * @throws StatusError Conflict that lists the conflicting fields
   */
  applyTo(live: ApiObject, manager: FieldManager, options: { fieldManager: string; force: boolean }): ApiObject {
    manager.assertLive(live);
    this.assertValid();
    manager.assertMergeable(live);
    return this.complete(manager.apply(live, this.config, options.fieldManager, options.force), live);
  }

  /** Converts the merged object to its kind; a merge leaves null in emptied fields. */
  private complete(merged: ApiObject, live: ApiObject): ApiObject {
    const { codec, isCustom } = this.resource;
    this.storedMetadata = undefined;
    if (merged === live && !isCustom) return deepClone(live);
    try {
      const read = merged === live ? deepClone(live) : codec.convert(isCustom ? withLiveFields(merged, live) : merged);
      if (isCustom)
        this.storedMetadata = storedMetadataOf(objectAt(this.config, 'metadata'), merged.metadata, read.metadata);
      return read;
    } catch (error) {
      if (!(error instanceof TypeMismatch)) throw error;
      const why = `unable to convert unstructured object to ${this.kind}: ${error.converted}`;
      throw new StatusError(500, '', `failed to convert new object (${this.name}) to proper version: ${why}`);
    }
  }

  private get kind(): string {
    return kindText(this.resource.apiVersion, this.resource.kind);
  }

  /** The name of the configuration in the field manager's errors. */
  get name(): string {
    const metadata = objectAt(this.config, 'metadata');
    return `${stringAt(metadata, 'namespace')}/${stringAt(metadata, 'name')}; ${this.kind}`;
  }
}

/**
 * Keeps the live creationTimestamp and generation of a custom resource, which only the server sets. Removes unreadable
 * deletion fields; readable ones are kept.
 */
function withLiveFields(merged: ApiObject, { metadata: { creationTimestamp, generation } }: ApiObject): ApiObject {
  const unreadable = (['deletionTimestamp', 'deletionGracePeriodSeconds'] as const).filter(
    (name) => !isReadable({ [name]: merged.metadata[name] }),
  );
  const metadata = { ...merged.metadata, creationTimestamp, generation } as Metadata;
  for (const name of unreadable) Reflect.deleteProperty(metadata, name);
  return { ...merged, metadata };
}

function isReadable(metadata: JsonObject): boolean {
  try {
    decodeGo('meta/v1.ObjectMeta', metadata, new DecodeReport());
    return true;
  } catch {
    return false;
  }
}

/**
 * The metadata fields of an applied custom resource that are stored differently from how they are read: null, empty or
 * undecodable values.
 */
export type StoredMetadata = JsonObject;

function isEmpty(value: unknown): boolean {
  return value === null || (typeof value === 'object' && Object.keys(value).length === 0);
}

/** Returns the metadata fields of a configuration with a stored form that differs from the decoded form. */
function storedMetadataOf(config: JsonObject, merged: Metadata, read: Metadata): StoredMetadata | undefined {
  const fields = (['labels', 'annotations', 'finalizers', 'ownerReferences'] as const)
    .filter((name) => config[name] !== undefined)
    .map((name) => [name, merged[name] ?? config[name]] as const)
    .filter(([name, value]) => isEmpty(value) || !deepEqual(value, read[name]));
  return fields.length === 0 ? undefined : Object.fromEntries(fields);
}

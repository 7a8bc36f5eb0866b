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

/** What a client applies. */
export class AppliedConfiguration {
  /** What of the metadata is written otherwise than it reads; known once the configuration is merged. */
  written: OddMetadata | undefined;

  /** @throws StatusError when the configuration is of another kind. */
  constructor(
    private readonly resource: Resource,
    private readonly config: JsonObject,
  ) {
    const given = kindText(stringAt(config, 'apiVersion'), stringAt(config, 'kind'));
    if (given !== this.kind) throw badRequest(`invalid object type: ${given}`);
  }

  /** @throws StatusError when it cannot be merged. */
  private check(): void {
    if (Array.isArray(objectAt(this.config, 'metadata').managedFields))
      throw badRequest('metadata.managedFields must be nil');
    const problems = typedProblems(this.resource.codec.mergeType, this.config);
    if (problems.length > 0)
      throw new StatusError(500, '', `failed to create typed patch object (${this.name}): ${problemsText(problems)}`);
  }

  /**
   * The object after `manager` applied the configuration to it.
   *
   * @throws StatusError Conflict, naming the fields.
   */
  applyTo(live: ApiObject, manager: FieldManager, options: { fieldManager: string; force: boolean }): ApiObject {
    manager.checkLive(live);
    this.check();
    manager.checkMergeable(live);
    return this.complete(manager.apply(live, this.config, options.fieldManager, options.force), live);
  }

  /** The merged object in the form of its kind; a merge leaves null where it emptied a field. */
  private complete(merged: ApiObject, live: ApiObject): ApiObject {
    const { codec, isCustom } = this.resource;
    this.written = undefined;
    if (merged === live && !isCustom) return deepClone(live);
    try {
      const read = merged === live ? deepClone(live) : codec.convert(isCustom ? withLiveFields(merged, live) : merged);
      if (isCustom) this.written = oddMetadata(objectAt(this.config, 'metadata'), merged.metadata, read.metadata);
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

  /** As the field manager calls the configuration. */
  get name(): string {
    const metadata = objectAt(this.config, 'metadata');
    return `${stringAt(metadata, 'namespace')}/${stringAt(metadata, 'name')}; ${this.kind}`;
  }
}

/**
 * Nobody reads when a custom resource that is applied was created, nor its generation: they are the server's to say.
 * What is told of its deletion counts where it can be read.
 */
function withLiveFields(merged: ApiObject, { metadata: { creationTimestamp, generation } }: ApiObject): ApiObject {
  const odd = (['deletionTimestamp', 'deletionGracePeriodSeconds'] as const).filter(
    (name) => !isReadable({ [name]: merged.metadata[name] }),
  );
  const metadata = { ...merged.metadata, creationTimestamp, generation } as Metadata;
  for (const name of odd) Reflect.deleteProperty(metadata, name);
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

/** Metadata as an apply of a custom resource writes it, with what was null and what was empty. */
export type OddMetadata = JsonObject;

function isEmpty(value: unknown): boolean {
  return value === null || (typeof value === 'object' && Object.keys(value).length === 0);
}

/** What a configuration says of metadata that reads otherwise. */
function oddMetadata(config: JsonObject, merged: Metadata, read: Metadata): OddMetadata | undefined {
  const odd = (['labels', 'annotations', 'finalizers', 'ownerReferences'] as const)
    .filter((name) => config[name] !== undefined)
    .map((name) => [name, merged[name] ?? config[name]] as const)
    .filter(([name, value]) => isEmpty(value) || !deepEqual(value, read[name]));
  return odd.length === 0 ? undefined : Object.fromEntries(odd);
}

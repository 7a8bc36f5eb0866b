import { kindText } from '../apply/kind-text.js';
import { problemsText, typedProblems } from '../apply/typed-problems.js';
import { badRequest, StatusError } from '../errors/status-error.js';
import { objectAt, stringAt, type ApiObject, type JsonObject } from '../object.js';
import type { Resource } from '../resources/resource.js';
import { TypeMismatch } from '../schema/decode-report.js';

/** What a client applies. */
export class AppliedConfiguration {
  /** @throws StatusError when the configuration is of another kind. */
  constructor(
    private readonly resource: Resource,
    private readonly config: JsonObject,
  ) {
    const given = kindText(stringAt(config, 'apiVersion'), stringAt(config, 'kind'));
    if (given !== this.kind) throw badRequest(`invalid object type: ${given}`);
  }

  /** @throws StatusError when it cannot be merged. */
  check(): void {
    if (Array.isArray(objectAt(this.config, 'metadata').managedFields))
      throw badRequest('metadata.managedFields must be nil');
    const problems = typedProblems(this.resource.codec.mergeType, this.config);
    if (problems.length > 0)
      throw new StatusError(500, '', `failed to create typed patch object (${this.name}): ${problemsText(problems)}`);
  }

  /** The merged object in the form of its kind; a merge leaves null where it emptied a field. */
  complete(merged: ApiObject, live: ApiObject): ApiObject {
    const { codec, isCustom } = this.resource;
    try {
      return codec.convert(isCustom ? withLiveFields(merged, live) : merged);
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
  private get name(): string {
    const metadata = objectAt(this.config, 'metadata');
    return `${stringAt(metadata, 'namespace')}/${stringAt(metadata, 'name')}; ${this.kind}`;
  }
}

/** Nobody reads when a custom resource that is applied was created, nor its generation: they are the server's to say. */
function withLiveFields(merged: ApiObject, { metadata: { creationTimestamp, generation } }: ApiObject): ApiObject {
  return { ...merged, metadata: { ...merged.metadata, creationTimestamp, generation } as ApiObject['metadata'] };
}

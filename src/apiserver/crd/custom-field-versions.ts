import type { RemoteCalls } from '../remote/remote-calls.js';
import type { FieldVersions } from '../apply/field-versions.js';
import { StatusError } from '../errors/status-error.js';
import { type ApiObject, type JsonObject, eachObject, objectAt, stringAt } from '../objects/api-object.js';
import type { MergeType } from '../schema/merge-type.js';
import { stringifyJson } from '../../base/json.js';
import type { StructuralSchema } from '../../crd/schema/structural-schema.js';
import { structuralMergeType } from './structural-merge-type.js';
import type { WebhookConversion } from './webhook-conversion.js';

/** The versions of a CustomResourceDefinition, served or not, for managedFields. */
export class CustomFieldVersions {
  private readonly schemas: ReadonlyMap<string, StructuralSchema>;
  private readonly types = new Map<string, MergeType>();

  constructor(
    { spec }: ApiObject,
    /** Undefined when versions differ only in their name. */
    private readonly conversion: WebhookConversion | undefined,
  ) {
    this.schemas = new Map(
      eachObject(objectAt({ spec }, 'spec').versions).map((version) => [
        `${stringAt(spec, 'group')}/${stringAt(version, 'name')}`,
        objectAt(version, 'schema').openAPIV3Schema as StructuralSchema,
      ]),
    );
  }

  /** Returns the versions for one write, with the webhook responses collected for it. */
  forWrite(calls: RemoteCalls | undefined): FieldVersions {
    return {
      typeOf: (apiVersion) => this.typeOf(apiVersion),
      convert: (object, apiVersion) => this.convert(object, apiVersion, calls),
    };
  }

  private typeOf(apiVersion: string): MergeType {
    let type = this.types.get(apiVersion);
    if (type) return type;
    const schema = this.schemas.get(apiVersion);
    if (!schema) throw new StatusError(500, '', `request to convert CR to an invalid group/version: ${apiVersion}`);
    this.types.set(apiVersion, (type = structuralMergeType(schema)));
    return type;
  }

  private convert(object: JsonObject, apiVersion: string, calls: RemoteCalls | undefined): JsonObject {
    const { conversion } = this;
    if (!conversion) return { ...object, apiVersion };
    if (!calls) throw new Error('cannot convert managed fields: this operation cannot wait for the conversion webhook');
    const question = `${apiVersion} of ${stringifyJson(object)}`;
    const [converted = object] = calls.result(question, () => conversion.convert([object as ApiObject], apiVersion));
    return converted;
  }
}

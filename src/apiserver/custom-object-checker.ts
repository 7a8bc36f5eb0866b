import { deepClone } from '../base/deep-clone.js';
import type { StatusDetails } from '../api/protocol/status.js';
import { compileCheck } from '../crd/schema/compiled-check.js';
import type { StructuralSchema } from '../crd/schema/structural-schema.js';
import { StatusError } from './errors/status-error.js';
import { eachObject, objectAt, type ApiObject, type JsonObject } from './objects/api-object.js';
import { assertValidChange, assertValidNew } from './registry/object-validation.js';
import type { Resource } from './resources/resource.js';
import { DecodeReport, TypeMismatch } from './schema/decode-report.js';
import { customResource } from './crd/custom-resource.js';

export type StatusCause = NonNullable<StatusDetails['causes']>[number];

/** Validates objects of one version of a definition as the API server validates writes, without storing them. */
export class CustomObjectChecker {
  private readonly resource: Resource;

  /** @param spec of the CustomResourceDefinition */
  constructor(spec: object, version: string) {
    const metadata = { name: '' };
    const definition = { apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition', metadata, spec };
    const versions = eachObject(objectAt(definition, 'spec').versions);
    const versionSpec = versions.find(({ name }) => name === version) ?? {};
    const schema = objectAt(versionSpec, 'schema').openAPIV3Schema as StructuralSchema;
    this.resource = customResource(definition, versionSpec, {
      webhooks: undefined,
      inherited: new WeakSet(),
      check: compileCheck(schema),
    });
  }

  /** Returns the causes with which the server would reject the object as new or as an update of `old`. */
  causes(value: JsonObject, old: JsonObject | undefined): StatusCause[] {
    const report = new DecodeReport(true);
    try {
      const next = this.decode(value, report);
      if (old === undefined) assertValidNew(this.resource, next);
      else this.assertValidUpdate(next, this.decode(old, new DecodeReport(true)));
      return unknownFields(report);
    } catch (error) {
      return [...unknownFields(report), ...causesOf(error)];
    }
  }

  private decode(value: JsonObject, report: DecodeReport): ApiObject {
    const object = this.resource.codec.decode(deepClone(value), report);
    this.resource.codec.applyDefaults(object);
    return object;
  }

  private assertValidUpdate(given: ApiObject, old: ApiObject): void {
    const { uid, resourceVersion = '1', creationTimestamp, generation } = old.metadata;
    const system = { uid, resourceVersion, creationTimestamp, generation };
    const known = Object.fromEntries(Object.entries(system).filter(([, value]) => value !== undefined));
    const metadata = { ...known, ...given.metadata };
    const { group, kind } = this.resource;
    assertValidChange(this.resource, { next: { ...given, metadata }, old, subresource: '', named: { group, kind } });
  }
}

/** Returns fields that the server drops, or rejects under strict field validation. */
function unknownFields({ problems }: DecodeReport): StatusCause[] {
  return problems.map((problem) => ({ reason: 'FieldValueInvalid', field: fieldIn(problem), message: problem }));
}

function fieldIn(problem: string): string {
  return /"(.*)"$/s.exec(problem)?.[1] ?? '';
}

function causesOf(error: unknown): StatusCause[] {
  if (error instanceof TypeMismatch) return [{ reason: 'FieldValueTypeInvalid', field: '', message: error.message }];
  if (error instanceof StatusError)
    return error.details?.causes ?? [{ reason: 'FieldValueInvalid', field: '', message: error.message }];
  throw error;
}

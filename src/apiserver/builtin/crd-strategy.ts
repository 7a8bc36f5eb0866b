import { goQuoted } from '../../base/go-quoted.js';
import { unrecognizedFormats } from '../../crd/formats/string-formats.js';
import { crdProblems, crdStatusProblems } from '../../crd/definition/crd-problems.js';
import { type ApiObject, arrayAt, eachObject, objectAt, stringAt, type JsonObject } from '../objects/api-object.js';
import { setCondition, type ConditionLike } from '../../api/objects/condition.js';
import type { Strategy } from '../resources/resource.js';
import { deletionPrecondition } from './deletion-precondition.js';
import { ensureObject, setDefaults } from '../objects/set-defaults.js';

/** Finalizer of a definition that is kept until its objects are deleted. */
export const CLEANUP = 'customresourcecleanup.apiextensions.k8s.io';

/** The strategy of CustomResourceDefinitions; the stored versions are set at creation. */
export const crdStrategy: Strategy = {
  hasGeneration: true,
  allowsAnyFinalizer: true,
  allowsUnconditionalUpdate: false,
  prepareForCreate(next) {
    next.status = { conditions: null, acceptedNames: { plural: '', kind: '' } };
    noteStorageVersion(next);
  },
  prepareForUpdate(next, _old, subresource) {
    if (subresource === '') noteStorageVersion(next);
  },
  assertDeletion: deletionPrecondition('apiextensions.k8s.io', 'customresourcedefinitions'),
  beginDeletion(old, now) {
    const finalizers = [...new Set([...(old.metadata.finalizers ?? []), CLEANUP])];
    return terminating({ ...old, metadata: { ...old.metadata, deletionTimestamp: now, finalizers } }, now, {
      reason: 'InstanceDeletionPending',
      message: 'CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon',
    });
  },
  warnings: (next, old, subresource) => {
    if (subresource !== '') return [];
    const former = new Set(old && formatsOf(old));
    return formatsOf(next)
      .filter((format) => !former.has(format))
      .map((format) => `unrecognized format ${goQuoted(format)}`);
  },
  validate: (definition) => crdProblems(definition),
  validateUpdate: (next, old, subresource) =>
    subresource === 'status' ? crdStatusProblems(next) : crdProblems(next, old),
};

/** Returns the definition with the condition for the progress of its deletion. */
export function terminating(
  definition: ApiObject,
  now: string,
  how: { readonly reason: string; readonly message: string },
): ApiObject {
  const status = objectAt(definition, 'status');
  const present = arrayAt(status, 'conditions') as ConditionLike[];
  const conditions = setCondition(present, { type: 'Terminating', status: 'True', ...how }, now);
  return { ...definition, status: { ...status, conditions } };
}

/** Returns the formats that the server does not validate. */
function formatsOf({ spec }: ApiObject): string[] {
  return eachObject(arrayAt(spec, 'versions')).flatMap((version) =>
    unrecognizedFormats(objectAt(objectAt(version, 'schema'), 'openAPIV3Schema')),
  );
}

function noteStorageVersion(definition: ApiObject): void {
  const storage = eachObject(objectAt(definition, 'spec').versions).find((version) => version.storage === true);
  const stored = arrayAt(definition.status, 'storedVersions');
  const name = stringAt(storage, 'name');
  if (!storage || stored.includes(name)) return;
  definition.status = { ...objectAt(definition, 'status'), storedVersions: [...stored, name] };
}

/** Sets the defaults of a CustomResourceDefinition like apiextensions/v1. */
export function defaultCustomResourceDefinition(object: ApiObject): void {
  const spec = ensureObject(object, 'spec');
  const names = ensureObject(spec, 'names');
  const kind = stringAt(names, 'kind');
  if (stringAt(names, 'singular') === '') names.singular = kind.toLowerCase();
  if (stringAt(names, 'listKind') === '' && kind !== '') names.listKind = `${kind}List`;
  setDefaults(ensureObject(spec, 'conversion'), { strategy: 'None' });
  const { service } = objectAt(objectAt(objectAt(spec, 'conversion'), 'webhook'), 'clientConfig');
  if (typeof service === 'object' && service !== null) setDefaults(service as Record<string, unknown>, { port: 443 });
  defaultStoredVersions(object, spec);
}

/** Sets the stored versions to the storage version if they are empty. */
function defaultStoredVersions(object: ApiObject, spec: JsonObject): void {
  const storage = eachObject(spec.versions).find((version) => version.storage === true);
  if (!storage || arrayAt(object.status, 'storedVersions').length > 0) return;
  object.status = { ...objectAt(object, 'status'), storedVersions: [stringAt(storage, 'name')] };
}

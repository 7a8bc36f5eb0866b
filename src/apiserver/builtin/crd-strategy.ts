import { unrecognizedFormats } from '../../crd/formats/unrecognized-formats.js';
import { crdProblems, crdStatusProblems } from '../../crd/definition/crd-problems.js';
import { arrayAt, objectAt, stringAt, type ApiObject } from '../object.js';
import type { Strategy } from '../resources/resource.js';
import { eachObject } from './set-default.js';

/** CustomResourceDefinitions know from the start which version they are stored in. */
export const crdStrategy: Strategy = {
  hasGeneration: true,
  allowsUnconditionalUpdate: false,
  prepareForCreate(next) {
    next.status = { conditions: null, acceptedNames: { plural: '', kind: '' } };
    noteStorageVersion(next);
  },
  prepareForUpdate(next, _old, subresource) {
    if (subresource === '') noteStorageVersion(next);
  },
  warnings: (next, old, subresource) => {
    if (subresource !== '') return [];
    const former = new Set(old && formatsOf(old));
    return formatsOf(next)
      .filter((format) => !former.has(format))
      .map((format) => `unrecognized format ${JSON.stringify(format)}`);
  },
  validate: (definition) => crdProblems(definition),
  validateUpdate: (next, old, subresource) =>
    subresource === 'status' ? crdStatusProblems(next) : crdProblems(next, old),
};

/** The formats that the server does not check. */
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

import { invalidTyped, invalidValue, notSupported, required, type FieldError } from '../../api/protocol/field-error.js';
import { dns1035LabelErrors, dnsSubdomainErrors } from '../../api/objects/names.js';
import { eachObject, isJsonObject, objectAt, stringAt, type JsonObject } from '../../base/json-object.js';
import { hasDefault, someSchema } from '../schema-props.js';
import { conversionProblems } from './conversion-problems.js';
import { goVersion } from './go-schema.js';
import { hoistedSpec, schemaIn, schemasIn, type HoistedSpec } from './hoisted-spec.js';
import { missingNames, nameProblems } from './name-problems.js';
import { columnProblems, deprecationProblems, subresourceProblems } from './presentation-problems.js';
import { schemaProblems } from './schema-problems.js';
import { selectableFieldProblems } from './selectable-field-problems.js';

const NO_SCHEMA_AT_TOP = 'may only be set when validations.schema is included';
const NO_SCHEMA_IN_VERSION = 'may only be set when `version.schema.openAPIV3Schema` is not included';

/** Returns the errors of the spec of a definition: validateCustomResourceDefinitionSpec. */
export function specProblems(spec: JsonObject, options: { readonly allowInvalidCaBundle: boolean }): FieldError[] {
  const hoisted = hoistedSpec(spec);
  const names = objectAt(spec, 'names');
  return [
    ...groupProblems(stringAt(spec, 'group')),
    ...scopeProblems(stringAt(spec, 'scope')),
    ...missingSchemas(hoisted),
    ...preserveProblems(spec),
    ...hoisted.versions.flatMap((version, index) => versionProblems(hoisted, version, index)),
    ...versionListProblems(hoisted),
    ...missingNames(names),
    ...nameProblems(names, 'spec.names'),
    ...commonProblems(hoisted),
    ...conversionProblems(spec.conversion, { requireRecognizedReviewVersion: true, ...options }),
  ];
}

function groupProblems(group: string): FieldError[] {
  if (group === '') return [required('spec.group')];
  const errors = dnsSubdomainErrors(group);
  if (errors.length > 0) return [invalidValue('spec.group', group, errors.join(','))];
  return group.includes('.') ? [] : [invalidValue('spec.group', group, 'should be a domain with at least one dot')];
}

function scopeProblems(scope: string): FieldError[] {
  if (scope === '') return [required('spec.scope')];
  return scope === 'Cluster' || scope === 'Namespaced'
    ? []
    : [notSupported('spec.scope', scope, ['Cluster', 'Namespaced'])];
}

function missingSchemas(hoisted: HoistedSpec): FieldError[] {
  if (schemaIn(hoisted) !== undefined) return [];
  return hoisted.versions.flatMap((version, index) =>
    schemaIn(version) === undefined ? [required(`spec.versions[${index}].schema.openAPIV3Schema`)] : [],
  );
}

function preserveProblems(spec: JsonObject): FieldError[] {
  if (spec.preserveUnknownFields !== true) return [];
  const errors: FieldError[] = [];
  if (schemasIn(spec).some((schema) => someSchema(schema, hasDefault)))
    errors.push(
      invalidValue('spec.preserveUnknownFields', true, 'must be false in order to use defaults in the schema'),
    );
  const { strategy } = objectAt(spec, 'conversion');
  if (strategy !== undefined && strategy !== 'None')
    errors.push(
      invalidValue('spec.conversion.strategy', strategy, 'must be None if spec.preserveUnknownFields is true'),
    );
  return errors;
}

function versionProblems(hoisted: HoistedSpec, version: JsonObject, index: number): FieldError[] {
  const path = `spec.versions[${index}]`;
  const name = stringAt(version, 'name');
  const hasOwn = hoisted.versions.some((one) => isJsonObject(one.subresources));
  // For duplicate version names, the first version is checked.
  const named = hoisted.versions.find(({ name }) => name === version.name) ?? version;
  const subresources = hasOwn ? named.subresources : hoisted.subresources;
  const labelErrors = dns1035LabelErrors(name);
  return [
    ...(labelErrors.length > 0 ? [invalidValue(`${path}.name`, name, labelErrors.join(','))] : []),
    ...deprecationProblems(version, path),
    ...schemaProblems(schemaIn(version), `${path}.schema`, hasStatus(subresources)),
    ...subresourceProblems(version.subresources, `${path}.subresources`),
    ...eachObject(version.additionalPrinterColumns).flatMap((column, position) =>
      columnProblems(column, `${path}.additionalPrinterColumns[${position}]`),
    ),
    ...selectableFieldProblems(
      version.selectableFields,
      schemaIn(version),
      `${path}.selectableFields`,
      NO_SCHEMA_IN_VERSION,
    ),
  ];
}

function hasStatus(subresources: unknown): boolean {
  return isJsonObject(subresources) && isJsonObject(subresources.status);
}

function versionListProblems({ spec, versions }: HoistedSpec): FieldError[] {
  const names = versions.map((version) => stringAt(version, 'name'));
  const refuse = (detail: string): FieldError =>
    invalidTyped('spec.versions', Array.isArray(spec.versions) ? versions.map(goVersion) : null, detail);
  const [first = ''] = names;
  const labelErrors = first === '' ? [] : dns1035LabelErrors(first);
  const stored = versions.filter(({ storage }) => storage === true);
  return [
    ...(new Set(names).size < names.length ? [refuse('must contain unique version names')] : []),
    ...(stored.length === 1 ? [] : [refuse('must have exactly one version marked as storage version')]),
    ...(labelErrors.length > 0 ? [invalidValue('spec.version', first, labelErrors.join(','))] : []),
  ];
}

/** Returns the errors of fields that are equal in all versions. */
function commonProblems(hoisted: HoistedSpec): FieldError[] {
  const { subresources, additionalPrinterColumns, selectableFields, versions } = hoisted;
  const isStatusAnywhere = [subresources, ...versions.map((version) => version.subresources)].some(hasStatus);
  return [
    ...schemaProblems(schemaIn(hoisted), 'spec.validation', isStatusAnywhere),
    ...subresourceProblems(subresources, 'spec.subresources'),
    ...eachObject(additionalPrinterColumns).flatMap((column, index) =>
      columnProblems(column, `spec.additionalPrinterColumns[${index}]`),
    ),
    ...selectableFieldProblems(selectableFields, schemaIn(hoisted), 'spec.selectableFields', NO_SCHEMA_AT_TOP),
  ];
}

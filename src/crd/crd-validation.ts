import { invalidValue, notSupported, required, type FieldError } from '../api/field-error.js';
import { arrayAt, eachObject, objectAt, stringAt, type JsonObject } from '../base/json-object.js';
import type { KubeObject } from '../api/kube-object.js';
import { dns1035LabelErrors, dnsSubdomainErrors } from '../api/names.js';
import { validateStructure } from './schema/structure-validation.js';

const PROTECTED = /(^|\.)(k8s|kubernetes)\.io$/;
const APPROVED = 'api-approved.kubernetes.io';

/** Problems of a CustomResourceDefinition. */
export function validateCustomResourceDefinition(object: KubeObject & JsonObject): FieldError[] {
  const spec = objectAt(object, 'spec');
  return [...validateIdentity(object, spec), ...validateNames(objectAt(spec, 'names')), ...validateVersions(spec)];
}

function validateIdentity({ metadata }: KubeObject & JsonObject, spec: JsonObject): FieldError[] {
  const errors: FieldError[] = [];
  const group = stringAt(spec, 'group');
  const expected = `${stringAt(spec.names, 'plural')}.${group}`;
  if (metadata.name !== expected)
    errors.push(invalidValue('metadata.name', metadata.name, 'must be spec.names.plural+"."+spec.group'));
  if (PROTECTED.test(group)) errors.push(...approvalErrors(metadata.annotations?.[APPROVED], group));
  if (group === '') errors.push(required('spec.group'));
  else {
    for (const message of dnsSubdomainErrors(group)) errors.push(invalidValue('spec.group', group, message));
    if (!group.includes('.'))
      errors.push(invalidValue('spec.group', group, 'should be a domain with at least one dot'));
  }
  const scope = stringAt(spec, 'scope');
  if (scope === '') errors.push(required('spec.scope'));
  else if (scope !== 'Cluster' && scope !== 'Namespaced')
    errors.push(notSupported('spec.scope', scope, ['Cluster', 'Namespaced']));
  return errors;
}

function approvalErrors(value: string | undefined, group: string): FieldError[] {
  const field = `metadata.annotations[${APPROVED}]`;
  const see = 'https://github.com/kubernetes/enhancements/pull/1111';
  if (value === undefined || value === '')
    return [required(field, `protected groups must have approval annotation "${APPROVED}", see ${see}`)];
  if (value.startsWith('unapproved') || URL.canParse(value)) return [];
  return [
    invalidValue(
      field,
      value,
      `protected groups must have approval annotation "${APPROVED}" with either a URL or a reason starting with "unapproved", see ${see}; group is ${group}`,
    ),
  ];
}

function validateNames(names: JsonObject): FieldError[] {
  const errors: FieldError[] = [];
  const check = (field: string, value: string): void => {
    for (const message of dns1035LabelErrors(value)) errors.push(invalidValue(field, value, message));
  };
  for (const key of ['plural', 'singular', 'kind', 'listKind']) {
    const value = stringAt(names, key);
    const field = `spec.names.${key}`;
    if (value !== '') check(field, key === 'kind' || key === 'listKind' ? value.toLowerCase() : value);
    else if (key !== 'singular') errors.push(required(field));
  }
  arrayAt(names, 'shortNames').forEach((name, index) => check(`spec.names.shortNames[${index}]`, String(name)));
  if (names.kind !== undefined && names.kind === names.listKind) {
    errors.push(invalidValue('spec.names.listKind', names.listKind, 'kind and listKind may not be the same'));
  }
  return errors;
}

function validateVersions(spec: JsonObject): FieldError[] {
  const versions = eachObject(spec.versions);
  const errors: FieldError[] = [];
  const stored = versions.filter(({ storage }) => storage === true).length;
  if (stored !== 1)
    errors.push(
      invalidValue('spec.versions', spec.versions, 'must have exactly one version marked as storage version'),
    );
  const names = new Set<string>();
  versions.forEach((version, index) => {
    const field = `spec.versions[${index}]`;
    const name = stringAt(version, 'name');
    for (const message of dns1035LabelErrors(name)) errors.push(invalidValue(`${field}.name`, name, message));
    if (names.has(name)) errors.push(invalidValue('spec.versions', spec.versions, 'must contain unique version names'));
    names.add(name);
    const schema = objectAt(version, 'schema').openAPIV3Schema;
    if (schema === undefined) errors.push(required(`${field}.schema.openAPIV3Schema`, 'schemas are required'));
    else errors.push(...validateStructure(schema, `${field}.schema.openAPIV3Schema`));
  });
  return errors;
}

/** Problems of a change of a CustomResourceDefinition: what it is called is for good. */
export function validateCustomResourceDefinitionUpdate(
  next: KubeObject & JsonObject,
  old: KubeObject & JsonObject,
  subresource: string,
): FieldError[] {
  if (subresource === 'status') return [];
  const errors = validateCustomResourceDefinition(next);
  const [spec, former] = [objectAt(next, 'spec'), objectAt(old, 'spec')];
  for (const field of ['group', 'scope']) {
    if (spec[field] !== former[field]) errors.push(invalidValue(`spec.${field}`, spec[field], 'field is immutable'));
  }
  for (const field of ['kind', 'plural']) {
    const [value, before] = [objectAt(spec, 'names')[field], objectAt(former, 'names')[field]];
    if (value !== before) errors.push(invalidValue(`spec.names.${field}`, value, 'field is immutable'));
  }
  const served = new Set(eachObject(spec.versions).map(({ name }) => name));
  const gone = arrayAt(old.status, 'storedVersions').filter((name) => !served.has(name));
  for (const name of gone)
    errors.push(
      invalidValue(
        'status.storedVersions[0]',
        name,
        'missing from spec.versions; ' +
          String(name) +
          ' was previously a storage version, and must remain in spec.versions until a storage migration ensures no data remains persisted in ' +
          String(name) +
          ' and removes ' +
          String(name) +
          ' from status.storedVersions',
      ),
    );
  return errors;
}

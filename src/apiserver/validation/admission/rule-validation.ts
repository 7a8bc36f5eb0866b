import { invalidValue, notSupported, required, type FieldError } from '../../../api/protocol/field-error.js';
import { arrayAt, type JsonObject } from '../../objects/api-object.js';
import { validateOneOf } from '../fields/field-checks.js';

const OPERATIONS = ['*', 'CONNECT', 'CREATE', 'DELETE', 'UPDATE'];
const SCOPES = ['*', 'Cluster', 'Namespaced'];

/**
 * Returns the errors of the rules that select requests for a webhook or policy: admissionregistration.k8s.io/v1
 * RuleWithOperations.
 */
export function validateRule(rule: JsonObject, field: string): FieldError[] {
  const operations = arrayAt(rule, 'operations');
  const several = "if '*' is present, must not specify other";
  const listed = (name: string, what: string): FieldError[] => {
    const values = arrayAt(rule, name);
    if (values.length === 0) return [required(`${field}.${name}`)];
    const isMixed = values.length > 1 && values.includes('*');
    return isMixed ? [invalidValue(`${field}.${name}`, values, `${several} ${what}`)] : [];
  };
  return [
    ...listed('operations', 'operations'),
    ...operations.flatMap((operation, index) =>
      OPERATIONS.includes(operation as string)
        ? []
        : [notSupported(`${field}.operations[${index}]`, operation, OPERATIONS)],
    ),
    ...listed('apiGroups', 'API groups'),
    ...listed('apiVersions', 'API versions'),
    ...emptyErrors(arrayAt(rule, 'apiVersions'), `${field}.apiVersions`),
    ...resourceErrors(arrayAt(rule, 'resources').map(String), `${field}.resources`),
    ...(rule.scope === undefined ? [] : validateOneOf(`${field}.scope`, rule.scope, SCOPES)),
  ];
}

function emptyErrors(values: readonly unknown[], field: string): FieldError[] {
  return values.flatMap((value, index) => (value === '' ? [required(`${field}[${index}]`)] : []));
}

function resourceErrors(resources: readonly string[], field: string): FieldError[] {
  if (resources.length === 0) return [required(field)];
  const errors = emptyErrors(resources, field);
  const [whole, everywhere] = [new Set<string>(), new Set<string>()];
  resources.forEach((text, index) => {
    const [resource = '', sub] = text.split('/', 2);
    if (sub === undefined) return;
    const covered = [...(whole.has(resource) ? [`${resource}/*`] : []), ...(everywhere.has(sub) ? [`*/${sub}`] : [])];
    for (const by of covered)
      errors.push(invalidValue(`${field}[${index}]`, text, `if '${by}' is present, must not specify ${text}`));
    if (sub === '*') whole.add(resource);
    if (resource === '*') everywhere.add(sub);
  });
  if (resources.length > 1 && resources.includes('*/*'))
    errors.push(invalidValue(field, resources, "if '*/*' is present, must not specify other resources"));
  const plain = resources.filter((text) => text !== '' && !text.includes('/')).at(-1);
  if (resources.includes('*') && plain !== '*')
    errors.push(
      invalidValue(field, resources, "if '*' is present, must not specify other resources without subresources"),
    );
  return errors;
}

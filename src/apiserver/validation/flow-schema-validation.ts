import {
  forbiddenField,
  invalidValue,
  notSupported,
  required,
  type FieldError,
} from '../../api/protocol/field-error.js';
import { dnsLabelErrors } from '../../api/objects/names.js';
import { defaultFlowControl } from '../data/default-flow-control.js';
import {
  type ApiObject,
  type JsonObject,
  arrayAt,
  eachObject,
  isJsonObject,
  numberAt,
  objectAt,
  stringAt,
} from '../objects/api-object.js';
import { checkDnsLabel, checkDnsSubdomain, validateRequired, uniqueness } from './fields/field-checks.js';
import { internalForm } from './fields/internal-form.js';
import { semanticEqual } from './fields/semantic-equal.js';

const SPEC = 'flowcontrol.FlowSchemaSpec';
const MAX_PRECEDENCE = 10_000;
const METHODS = ['ByNamespace', 'ByUser'];
const VERBS = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'proxy', 'update', 'watch'];
const MANDATORY = ['catch-all', 'exempt'];

/** Returns the errors of a FlowSchema. */
export function validateFlowSchema(object: ApiObject): FieldError[] {
  const { spec, metadata } = object;
  const { matchingPrecedence: _, ...rest } = objectAt({ spec }, 'spec');
  const method = objectAt(rest, 'distinguisherMethod');
  const level = stringAt(rest.priorityLevelConfiguration, 'name');
  const field = 'spec.priorityLevelConfiguration.name';
  return [
    ...precedenceErrors(numberAt(spec, 'matchingPrecedence') ?? 0, metadata.name),
    ...(isJsonObject(rest.distinguisherMethod) && !METHODS.includes(stringAt(method, 'type'))
      ? [notSupported('spec.distinguisherMethod.type', { Type: stringAt(method, 'type') }, METHODS)]
      : []),
    ...(level === '' ? [required(field, 'must reference a priority level')] : checkDnsSubdomain(field, level)),
    ...eachObject(rest.rules).flatMap((rule, index) => ruleErrors(rule, `spec.rules[${index}]`)),
    ...fixedErrors(object, SPEC),
    ...conditionErrors(object),
  ];
}

/** Returns errors for changes of objects that are the same in every cluster. */
function fixedErrors({ metadata: { name }, spec }: ApiObject, type: string): FieldError[] {
  if (!MANDATORY.includes(name)) return [];
  const fixed = [...defaultFlowControl()].find((one) => one.kind === 'FlowSchema' && one.name === name);
  if (semanticEqual(spec, fixed?.spec)) return [];
  return [invalidValue('spec', internalForm(type, spec), `spec of '${name}' must equal the fixed value`)];
}

/** Returns the errors of the conditions of flow control objects. */
export function conditionErrors({ status }: ApiObject): FieldError[] {
  const unique = uniqueness();
  return eachObject(objectAt({ status }, 'status').conditions).flatMap((condition, index) => {
    const field = `status.conditions[${index}].type`;
    return [...unique(field, stringAt(condition, 'type')), ...validateRequired(field, stringAt(condition, 'type'))];
  });
}

function precedenceErrors(precedence: number, name: string): FieldError[] {
  const invalid = (detail: string): FieldError[] => [invalidValue('spec.matchingPrecedence', precedence, detail)];
  if (precedence <= 0) return invalid('must be a positive value');
  if (precedence > MAX_PRECEDENCE) return invalid(`must not be greater than ${MAX_PRECEDENCE}`);
  return precedence === 1 && name !== 'exempt'
    ? invalid("only the schema named 'exempt' may have matchingPrecedence 1")
    : [];
}

function ruleErrors(rule: JsonObject, path: string): FieldError[] {
  const [subjects, resources, urls] = ['subjects', 'resourceRules', 'nonResourceRules'].map((name) =>
    eachObject(rule[name]),
  ) as [JsonObject[], JsonObject[], JsonObject[]];
  return [
    ...(subjects.length === 0 ? [required(`${path}.subjects`, 'subjects must contain at least one value')] : []),
    ...subjects.flatMap((subject, index) => subjectErrors(subject, `${path}.subjects[${index}]`)),
    ...(resources.length === 0 && urls.length === 0
      ? [required(path, 'at least one of resourceRules and nonResourceRules has to be non-empty')]
      : []),
    ...resources.flatMap((one, index) => resourceErrors(one, `${path}.resourceRules[${index}]`)),
    ...urls.flatMap((one, index) => urlErrors(one, `${path}.nonResourceRules[${index}]`)),
  ];
}

/** The member of each subject kind; the order determines which of two superfluous members is reported. */
const SUBJECTS = { ServiceAccount: 'serviceAccount', User: 'user', Group: 'group' } as const;

function subjectErrors(subject: JsonObject, path: string): FieldError[] {
  const kind = stringAt(subject, 'kind');
  const member = SUBJECTS[kind as keyof typeof SUBJECTS] as string | undefined;
  if (member === undefined) return [notSupported(`${path}.kind`, kind, Object.keys(SUBJECTS).sort())];
  const others = Object.entries(SUBJECTS).filter(([, other]) => other !== member && isJsonObject(subject[other]));
  const at = `${path}.${member}`;
  return [
    ...(isJsonObject(subject[member])
      ? namedErrors(objectAt(subject, member), kind, at)
      : [required(at, `${member} is required when subject kind is '${kind}'`)]),
    ...others.map(([only, other]) =>
      forbiddenField(`${path}.${other}`, `${other} is forbidden when subject kind is not '${only}'`),
    ),
  ];
}

function namedErrors(subject: JsonObject, kind: string, path: string): FieldError[] {
  const name = stringAt(subject, 'name');
  if (kind !== 'ServiceAccount') return validateRequired(`${path}.name`, name);
  const namespace = stringAt(subject, 'namespace');
  const field = `${path}.namespace`;
  return [
    ...(name === '*' ? [] : validateRequired(`${path}.name`, name, checkDnsSubdomain)),
    ...(namespace === ''
      ? [required(field, 'must specify namespace for service account')]
      : checkDnsLabel(field, namespace)),
  ];
}

function verbErrors(rule: JsonObject, path: string): FieldError[] {
  const verbs = arrayAt(rule, 'verbs').map(String);
  const field = `${path}.verbs`;
  if (verbs.length === 0) return [required(field, 'verbs must contain at least one value')];
  if (verbs.includes('*')) return aloneErrors(verbs, field, 'verbs');
  return verbs.every((verb) => VERBS.includes(verb)) ? [] : [notSupported(field, verbs, VERBS)];
}

/** A wildcard must be the only value. */
function aloneErrors(values: readonly string[], field: string, what: string): FieldError[] {
  return values.length > 1 && values.includes('*')
    ? [invalidValue(field, values, `if '*' is present, must not specify other ${what}`)]
    : [];
}

function resourceErrors(rule: JsonObject, path: string): FieldError[] {
  const list = (name: string, what: string): FieldError[] => {
    const values = arrayAt(rule, name).map(String);
    const missing = [required(`${path}.${name}`, `resource rules must supply at least one ${what}`)];
    const many = what === 'api group' ? 'api groups' : 'resources';
    return values.length === 0 ? missing : aloneErrors(values, `${path}.${name}`, many);
  };
  return [
    ...verbErrors(rule, path),
    ...list('apiGroups', 'api group'),
    ...list('resources', 'resource'),
    ...namespaceErrors(rule, `${path}.namespaces`),
  ];
}

function namespaceErrors(rule: JsonObject, field: string): FieldError[] {
  const namespaces = arrayAt(rule, 'namespaces').map(String);
  if (namespaces.length === 0 && rule.clusterScope !== true)
    return [required(field, 'resource rules that are not cluster scoped must supply at least one namespace')];
  if (namespaces.includes('*')) return aloneErrors(namespaces, field, 'namespaces');
  const form = "each member of this list must be '*' or a DNS-1123 label; ";
  return namespaces.flatMap((name, index) =>
    dnsLabelErrors(name).map((message) => invalidValue(`${field}[${index}]`, name, form + message)),
  );
}

function urlErrors(rule: JsonObject, path: string): FieldError[] {
  const urls = arrayAt(rule, 'nonResourceURLs').map(String);
  const field = `${path}.nonResourceURLs`;
  const errors = verbErrors(rule, path);
  if (urls.length === 0) return [...errors, required(field, 'nonResourceURLs must contain at least one value')];
  if (urls.includes('*')) return [...errors, ...aloneErrors(urls, field, 'non-resource URLs')];
  return [
    ...errors,
    ...urls.flatMap((url, index) => {
      const why = pathProblem(url);
      return why === undefined ? [] : [invalidValue(`${field}[${index}]`, url, why)];
    }),
  ];
}

function pathProblem(path: string): string | undefined {
  if (path === '') return 'must not be empty';
  if (!path.startsWith('/')) return 'must start with slash';
  if (path.includes(' ')) return 'must not contain white-space';
  if (path.includes('//')) return 'must not contain double slash';
  return /^[^*]*(\/\*)?$/.test(path) ? undefined : 'wildcard can only do suffix matching';
}

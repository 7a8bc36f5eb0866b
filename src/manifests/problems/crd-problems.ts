import type { FieldError } from '../../api/protocol/field-error.js';
import type { ValidationRule } from '../../api/schema/json-schema.js';
import type { UnstructuredObject } from '../../api/objects/kube-object.js';
import { crdProblems } from '../../crd/definition/crd-problems.js';
import type { Diagnostics } from '../../resource/diagnostics.js';
import { kindLocation } from '../../resource/kinds/kind-location.js';
import { storedVersion } from '../../resource/kinds/versions.js';
import type { Problem } from '../../resource/model-error.js';
import type { ResourceModel } from '../../resource/model.js';
import { refusal } from './refusal.js';
import { schemaLocation } from './schema-location.js';

/** Adds the errors that the API server would report about a definition, each at the class or field it is about. */
export function collectCrdProblems(
  crd: UnstructuredObject,
  versions: readonly ResourceModel[],
  diagnostics: Diagnostics,
): void {
  for (const field of illFormedStrings(crd)) addProblem(field, loneSurrogate, versions, diagnostics);
  for (const { field, body } of costOnce(serverErrors(asStored(crd, versions))))
    addProblem(field, (path, fields) => refusal(body, path, fields), versions, diagnostics);
}

/** Returns the errors of the server, and those of rules that it would compile only after other errors are fixed. */
function serverErrors(crd: UnstructuredObject): FieldError[] {
  const errors = crdProblems(crd);
  const hasInvalidTexts = errors.some(({ field }) => /x-kubernetes-validations\[\d+\]\.\w+$/.test(field));
  if (!hasInvalidTexts) return errors;
  const known = new Set(errors.map(({ field }) => field));
  return [...errors, ...crdProblems(withPlainRules(crd)).filter(({ field }) => !known.has(field))];
}

/** The definition with nothing but expressions in its rules. */
function withPlainRules<T>(value: T): T {
  if (Array.isArray(value)) return value.map(withPlainRules) as T;
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([name, member]: [string, unknown]): [string, unknown] => {
    const rules =
      name === 'x-kubernetes-validations' && Array.isArray(member) ? (member as ValidationRule[]) : undefined;
    return [name, rules ? rules.map(plainRule) : withPlainRules(member)];
  });
  return Object.fromEntries(members) as T;
}

function plainRule({ rule, messageExpression, optionalOldSelf }: ValidationRule): ValidationRule {
  return {
    rule: rule.trim() === '' ? 'true' : rule,
    message: 'invalid',
    ...(messageExpression !== undefined && messageExpression.trim() !== '' && { messageExpression }),
    ...(optionalOldSelf !== undefined && { optionalOldSelf }),
  };
}

const TOTAL_COST = /estimated rule cost total for entire OpenAPIv3 schema exceeds/;
const PART_OF_TOTAL = /contributed to estimated rule cost total/;
const OWN_COST = /^[^:]*: estimated (?:rule|messageExpression) cost exceeds/;

/** Reports excessive cost once: at the rules that are too expensive by themselves, otherwise at those that add up. */
function costOnce(errors: readonly FieldError[]): FieldError[] {
  const ofRules = errors.filter(({ body }) => OWN_COST.test(body));
  const parts = errors.filter(({ body }) => PART_OF_TOTAL.test(body));
  return errors.flatMap((error) => {
    if (PART_OF_TOTAL.test(error.body)) return [];
    if (!TOTAL_COST.test(error.body)) return [error];
    const [field] = parts.map((part) => part.field.replace(/\.?x-kubernetes-validations\[\d+\].*$/, ''));
    return ofRules.length > 0 ? [] : [{ ...error, field: field ?? error.field }];
  });
}

/** A definition with what the server adds before it validates. */
function asStored(crd: UnstructuredObject, versions: readonly ResourceModel[]): UnstructuredObject {
  const stored = storedVersion(versions);
  const { names, ...spec } = crd['spec'] as { names: object };
  return {
    ...crd,
    spec: { conversion: { strategy: 'None' }, ...spec, names },
    status: { acceptedNames: names, storedVersions: stored ? [stored.kind.version] : [], conditions: [] },
  };
}

/** For errors that all versions share, the server reports a path without versions. */
const SCHEMA = /^spec\.(?:versions\[(\d+)\]\.schema|validation)\.openAPIV3Schema\.?(.*)$/s;

function addProblem(
  field: string,
  problemAt: (path: string, fields: readonly string[]) => Problem,
  versions: readonly ResourceModel[],
  diagnostics: Diagnostics,
): void {
  const [, index, below] = SCHEMA.exec(field) ?? [];
  const model = versions[Number(index ?? 0)] ?? versions[0];
  if (!model) return;
  if (below === undefined) diagnostics.add(kindLocation(model.target), ...problemAt(field, []));
  else {
    const { location, rest, classModel } = schemaLocation(below, model.classModel);
    const fields = classModel?.fields.map(({ name }) => name) ?? [];
    diagnostics.add(location, ...problemAt(rest, fields));
  }
}

function loneSurrogate(path: string): Problem {
  return [
    `contains an unpaired UTF-16 surrogate${path === '' ? '' : ` (${path})`}`,
    'remove the surrogate, or complete the pair',
  ];
}

/** In a string read by code points, only half a pair is a surrogate. */
const HALF = /\p{Surrogate}/u;

/** Returns the paths of strings with an unpaired UTF-16 surrogate, which UTF-8 cannot encode. */
function* illFormedStrings(value: unknown, path = ''): Generator<string> {
  if (typeof value === 'string' && HALF.test(value)) yield path;
  if (typeof value !== 'object' || value === null) return;
  for (const [name, member] of Object.entries(value)) {
    if (HALF.test(name)) yield path;
    yield* illFormedStrings(member, childPath(value, path, name));
  }
}

/** Field errors put indexes and the names of properties in brackets. */
function childPath(parent: object, path: string, name: string): string {
  if (path === '') return name;
  return Array.isArray(parent) || /[.\]]properties$/.test(path) ? `${path}[${name}]` : `${path}.${name}`;
}

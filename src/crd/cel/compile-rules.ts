import { stringifyJson } from '../../base/json.js';
import type { ValidationRule } from '../../api/json-schema.js';
import { forbiddenField, invalidValue, required, type FieldError } from '../../api/field-error.js';
import { isJsonObject, type JsonObject } from '../../base/json-object.js';
import { resolveFieldPath } from '../schema/field-path.js';
import { memberSchema, type StructuralSchema } from '../schema/structural-schema.js';
import { declTypeOf } from './check/decl-type.js';
import { compileRule, type CompiledExpressions } from './compile-rule.js';
import { CelError, CelOptional, type CelValue } from './evaluate/cel-value.js';
import { evaluate } from './evaluate/evaluator.js';
import { toCel } from './evaluate/schema-value.js';

/** The CEL rules of a schema, compiled. */
export interface CompiledRules {
  readonly isEmpty: boolean;
  /** What the rules find wrong with a value, given what it was before. */
  validate(value: unknown, old: unknown, path?: string): FieldError[];
}

interface CompiledRule {
  readonly rule: ValidationRule;
  readonly compiled: CompiledExpressions;
  /** Where in the value the error is, as its author says. */
  readonly fieldPath: string;
}

/** The rules at a schema and at what is below it, where there are any. */
interface RuleNode {
  readonly schema: StructuralSchema;
  readonly isResource: boolean;
  readonly rules: readonly CompiledRule[];
  readonly below: (name: string) => RuleNode | undefined;
  readonly items: RuleNode | undefined;
}

const MAX_MESSAGE = 5 * 1024;

/** Compiles the x-kubernetes-validations of a schema and all below it, each when it is first needed. */
export function compileRules(schema: StructuralSchema, isResource = false): CompiledRules {
  const isEmpty = !stringifyJson(schema).includes('"x-kubernetes-validations"');
  if (isEmpty) return { isEmpty, validate: () => [] };
  let root: RuleNode | undefined;
  return {
    isEmpty,
    validate(value, old, path = '') {
      const errors: FieldError[] = [];
      check((root ??= compileNode(schema, isResource)), value, old, path, errors);
      return errors;
    },
  };
}

function compileNode(schema: StructuralSchema, isResource: boolean): RuleNode {
  const members = new Map<string, RuleNode>();
  const below = (member: StructuralSchema): RuleNode =>
    compileNode(member, member['x-kubernetes-embedded-resource'] === true);
  return {
    schema,
    isResource,
    rules: compileAll(schema, isResource),
    below(name) {
      const member = memberSchema(schema, name);
      let node = members.get(name);
      if (!node && member) members.set(name, (node = below(member)));
      return node;
    },
    items: schema.items && below(schema.items),
  };
}

function compileAll(schema: StructuralSchema, isResource: boolean): CompiledRule[] {
  const rules = schema['x-kubernetes-validations'] ?? [];
  const type = rules.length === 0 ? undefined : declTypeOf(schema, isResource);
  if (!type) return [];
  return rules.map((rule) => {
    const found = rule.fieldPath === undefined ? undefined : resolveFieldPath(rule.fieldPath, schema);
    return {
      rule,
      compiled: compileRule(rule, type),
      fieldPath: found?.error === undefined ? (found?.path ?? '') : '',
    };
  });
}

function check(node: RuleNode, value: unknown, old: unknown, path: string, errors: FieldError[]): void {
  if (value === undefined || value === null) return;
  for (const rule of node.rules) {
    const error = failureOf(node, rule, value, old, path);
    if (error) errors.push(error);
  }
  if (Array.isArray(value)) checkItems(node, value as unknown[], old, path, errors);
  else if (isJsonObject(value)) checkMembers(node, value, old, path, errors);
}

function checkMembers(node: RuleNode, value: JsonObject, old: unknown, path: string, errors: FieldError[]): void {
  const former = isJsonObject(old) ? old : {};
  const isMap = typeof node.schema.additionalProperties === 'object';
  for (const [name, member] of Object.entries(value)) {
    const below = node.below(name);
    if (below) check(below, member, former[name], isMap ? `${path}[${name}]` : childPath(path, name), errors);
  }
}

function childPath(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}

function checkItems(node: RuleNode, value: readonly unknown[], old: unknown, path: string, errors: FieldError[]): void {
  const { items, schema } = node;
  if (!items) return;
  value.forEach((item, index) => {
    check(items, item, correlated(schema, item, old), `${path}[${index}]`, errors);
  });
}

/** The former item of the same keys; only map lists tell which item is which. */
function correlated(schema: StructuralSchema, item: unknown, old: unknown): unknown {
  const keys = schema['x-kubernetes-list-map-keys'];
  if (schema['x-kubernetes-list-type'] !== 'map' || !keys || !Array.isArray(old) || !isJsonObject(item))
    return undefined;
  return (old as unknown[]).find((former) => isJsonObject(former) && keys.every((key) => former[key] === item[key]));
}

function failureOf(
  node: RuleNode,
  { rule, compiled, fieldPath }: CompiledRule,
  value: unknown,
  old: unknown,
  path: string,
): FieldError | undefined {
  const field = path === '' ? '<nil>' : path;
  const kind = node.schema.type ?? '';
  if (compiled.error !== undefined) return invalidValue(field, kind, `rule compile error: ${compiled.error}`);
  if (!compiled.rule || isWithoutOld(rule, compiled, old)) return undefined;
  const self = toCel(node.schema, value, node.isResource);
  const variables = { self, ...oldSelf(node, old, rule.optionalOldSelf === true) };
  const result = evaluate(compiled.rule, variables);
  if (result === true) return undefined;
  if (result instanceof CelError) return invalidValue(field, kind, evaluationProblem(result, rule));
  const place = fieldPath === '' ? field : childPath(path, fieldPath);
  return failure(rule, messageOf(rule, compiled, variables), place, value);
}

/** Rules that compare with the former value do not run without one, but for those that say they can. */
function isWithoutOld(rule: ValidationRule, { usesOldSelf }: CompiledExpressions, old: unknown): boolean {
  return usesOldSelf && (old === undefined || old === null) && rule.optionalOldSelf !== true;
}

function oldSelf(node: RuleNode, old: unknown, isOptional: boolean): Record<string, CelValue> {
  const isThere = old !== undefined && old !== null;
  const value = isThere ? toCel(node.schema, old, node.isResource) : undefined;
  if (isOptional) return { oldSelf: value === undefined ? CelOptional.none : new CelOptional(value) };
  return value === undefined ? {} : { oldSelf: value };
}

function evaluationProblem({ message }: CelError, rule: ValidationRule): string {
  const text = ruleText(rule);
  if (message.startsWith('no such overload'))
    return `'${message}': call arguments did not match a supported operator, function or macro signature for rule: ${text}`;
  if (message.startsWith('operation cancelled'))
    return `'${message}': no further validation rules will be run due to call cost exceeds limit for rule: ${text}`;
  return `${message} evaluating rule: ${text}`;
}

function ruleText({ rule, message = '' }: ValidationRule): string {
  return (message === '' ? rule : message).trim();
}

function messageOf(
  rule: ValidationRule,
  { message }: CompiledExpressions,
  variables: Readonly<Record<string, CelValue>>,
): string {
  const text = message && evaluate(message, variables);
  const trimmed = typeof text === 'string' ? text.trim() : '';
  const isFit = trimmed !== '' && Buffer.byteLength(trimmed) <= MAX_MESSAGE && !/[\n\r]/.test(trimmed);
  if (isFit) return trimmed;
  return rule.message === undefined || rule.message === '' ? `failed rule: ${ruleText(rule)}` : ruleText(rule);
}

function failure({ reason }: ValidationRule, message: string, field: string, value: unknown): FieldError {
  const isComposite = typeof value === 'object';
  switch (reason) {
    case 'FieldValueForbidden':
      return forbiddenField(field, message);
    case 'FieldValueRequired':
      return required(field, message);
    case 'FieldValueDuplicate':
      return {
        type: reason,
        field,
        body: isComposite ? 'Duplicate value' : `Duplicate value: ${stringifyJson(value)}`,
      };
    default:
      return isComposite
        ? { type: 'FieldValueInvalid', field, body: `Invalid value: ${message}` }
        : invalidValue(field, value, message);
  }
}

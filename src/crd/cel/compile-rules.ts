import { stringifyJson } from '../../base/json.js';
import type { ValidationRule } from '../../api/schema/json-schema.js';
import { forbiddenField, invalidValue, required, type FieldError } from '../../api/protocol/field-error.js';
import { deepEqual } from '../../base/deep-equal.js';
import { isJsonObject, type JsonObject } from '../../base/json-object.js';
import { correlatedItem } from '../schema/correlated-item.js';
import { resolveFieldPath } from '../schema/field-path.js';
import { memberSchema, type StructuralSchema } from '../schema/structural-schema.js';
import { declTypeOf } from './check/decl-type.js';
import { compileRule, type CompiledExpressions } from './compile-rule.js';
import { CelError, CelOptional, type CelValue } from './values/cel-value.js';
import { evaluate } from './evaluate/evaluator.js';
import { toCel } from './evaluate/schema-value.js';

/** The CEL rules of a schema, compiled. */
export interface CompiledRules {
  readonly isEmpty: boolean;
  /** Returns the errors of a value, given its former value; errors of unchanged values are dropped (ratcheting). */
  validate(value: unknown, old: unknown, path?: string): FieldError[];
}

interface CompiledRule {
  readonly rule: ValidationRule;
  readonly compiled: CompiledExpressions;
  /** The `fieldPath` of the rule, relative to the value. */
  readonly fieldPath: string;
}

/** The rules of a schema and of its subschemas, if any. */
interface RuleNode {
  readonly schema: StructuralSchema;
  readonly isResource: boolean;
  readonly rules: readonly CompiledRule[];
  readonly below: (name: string) => RuleNode | undefined;
  readonly items: RuleNode | undefined;
}

const MAX_MESSAGE = 5 * 1024;

/** Compiles the x-kubernetes-validations of a schema and its subschemas, each on first use. */
export function compileRules(schema: StructuralSchema, isResource = false): CompiledRules {
  const isEmpty = !stringifyJson(schema).includes('"x-kubernetes-validations"');
  if (isEmpty) return { isEmpty, validate: () => [] };
  let root: RuleNode | undefined;
  return {
    isEmpty,
    validate(value, old, path = '') {
      const errors: FieldError[] = [];
      collectErrors(
        (root ??= compileNode(schema, isResource)),
        value,
        { value: old, isSame: () => false },
        path,
        errors,
      );
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

/** The value before the update, if it can be correlated. */
interface Former {
  readonly value: unknown;
  /** Returns whether the value, or the nearest ancestor with a known former value, is unchanged. */
  readonly isSame: () => boolean;
}

function collectErrors(node: RuleNode, value: unknown, around: Former, path: string, errors: FieldError[]): void {
  if (value === undefined || value === null) return;
  const { value: old } = around;
  const isKnown = old !== undefined && old !== null;
  const former = isKnown ? { value: old, isSame: () => deepEqual(value, old) } : around;
  for (const rule of node.rules) {
    const error = failureOf(node, rule, value, former, path);
    if (error) errors.push(error);
  }
  if (Array.isArray(value)) collectItems(node, value as unknown[], former, path, errors);
  else if (isJsonObject(value)) collectMembers(node, value, former, path, errors);
}

function collectMembers(node: RuleNode, value: JsonObject, former: Former, path: string, errors: FieldError[]): void {
  const old = isJsonObject(former.value) ? former.value : {};
  const isMap = typeof node.schema.additionalProperties === 'object';
  for (const [name, member] of Object.entries(value)) {
    const below = node.below(name);
    const place = isMap ? `${path}[${name}]` : childPath(path, name);
    if (below) collectErrors(below, member, { ...former, value: old[name] }, place, errors);
  }
}

function childPath(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}

function collectItems(
  node: RuleNode,
  value: readonly unknown[],
  former: Former,
  path: string,
  errors: FieldError[],
): void {
  const { items, schema } = node;
  if (!items) return;
  value.forEach((item, index) => {
    collectErrors(
      items,
      item,
      { ...former, value: correlatedItem(schema, item, former.value) },
      `${path}[${index}]`,
      errors,
    );
  });
}

function failureOf(
  node: RuleNode,
  { rule, compiled, fieldPath }: CompiledRule,
  value: unknown,
  { value: old, isSame }: Former,
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
  if (isRatcheted(compiled, isSame)) return undefined;
  const place = fieldPath === '' ? field : childPath(path, fieldPath);
  return failure(rule, messageOf(rule, compiled, variables), place, value);
}

/** Transition rules are skipped without a former value unless they set optionalOldSelf. */
function isWithoutOld(rule: ValidationRule, { usesOldSelf }: CompiledExpressions, old: unknown): boolean {
  return usesOldSelf && (old === undefined || old === null) && rule.optionalOldSelf !== true;
}

/** A rule without oldSelf is not enforced on values that an update leaves unchanged. */
function isRatcheted({ usesOldSelf }: CompiledExpressions, isSame: () => boolean): boolean {
  return !usesOldSelf && isSame();
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

import type { ValidationRule } from '../../api/json-schema.js';
import { duplicate, forbiddenField, invalidValue, required, type FieldError } from '../../api/field-error.js';
import { isJsonObject, type JsonObject } from '../../base/json-object.js';
import { memberSchema, type StructuralSchema } from '../schema/structural-schema.js';
import { celEnvironment } from './cel-environment.js';
import { toCel } from './cel-value.js';

/** The CEL rules of a schema, compiled. */
export interface CompiledRules {
  readonly isEmpty: boolean;
  /** What the rules find wrong with an object, given what it was before. */
  validate(object: JsonObject, old: JsonObject | undefined): FieldError[];
}

type Evaluate = (context: Record<string, unknown>) => unknown;

interface CompiledRule {
  readonly rule: ValidationRule;
  readonly evaluate: Evaluate;
  readonly message: Evaluate | undefined;
  /** Compares with the former value, so there has to be one. */
  readonly isTransition: boolean;
}

/** The rules at a schema and at what is below it, where there are any. */
interface RuleNode {
  readonly schema: StructuralSchema;
  readonly rules: readonly CompiledRule[];
  readonly below: (name: string) => RuleNode | undefined;
  readonly items: RuleNode | undefined;
}

/** Compiles the x-kubernetes-validations of a schema and all below it, each when it is first needed. */
export function compileRules(schema: StructuralSchema): CompiledRules {
  const isEmpty = !JSON.stringify(schema).includes('"x-kubernetes-validations"');
  if (isEmpty) return { isEmpty, validate: () => [] };
  let root: RuleNode | undefined;
  return {
    isEmpty,
    validate(object, old) {
      const errors: FieldError[] = [];
      check((root ??= compileNode(schema)), object, old, '', errors);
      return errors;
    },
  };
}

function compileNode(schema: StructuralSchema): RuleNode {
  const members = new Map<string, RuleNode>();
  return {
    schema,
    rules: (schema['x-kubernetes-validations'] ?? []).map(compileRule),
    below(name) {
      const member = memberSchema(schema, name);
      let node = members.get(name);
      if (!node && member) members.set(name, (node = compileNode(member)));
      return node;
    },
    items: schema.items && compileNode(schema.items),
  };
}

function compileRule(rule: ValidationRule): CompiledRule {
  const environment = celEnvironment();
  const expression = rule.messageExpression;
  return {
    rule,
    evaluate: environment.parse(rule.rule) as Evaluate,
    message: expression === undefined ? undefined : (environment.parse(expression) as Evaluate),
    isTransition: /\boldSelf\b/.test(rule.rule),
  };
}

function check(node: RuleNode, value: unknown, old: unknown, path: string, errors: FieldError[]): void {
  if (value === undefined || value === null) return;
  for (const rule of node.rules) {
    const error = evaluate(node.schema, rule, value, old, path);
    if (error) errors.push(error);
  }
  if (Array.isArray(value)) checkItems(node, value as unknown[], old, path, errors);
  else if (isJsonObject(value)) checkMembers(node, value, old, path, errors);
}

function checkMembers(node: RuleNode, value: JsonObject, old: unknown, path: string, errors: FieldError[]): void {
  const former = isJsonObject(old) ? old : {};
  for (const [name, member] of Object.entries(value)) {
    const below = node.below(name);
    if (below) check(below, member, former[name], path === '' ? name : `${path}.${name}`, errors);
  }
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

function evaluate(
  schema: StructuralSchema,
  compiled: CompiledRule,
  value: unknown,
  old: unknown,
  path: string,
): FieldError | undefined {
  const { rule, isTransition } = compiled;
  const hasOld = old !== undefined && old !== null;
  if (isTransition && !hasOld && rule.optionalOldSelf !== true) return undefined;
  const context = { self: toCel(schema, value), ...(hasOld && { oldSelf: toCel(schema, old) }) };
  try {
    if (compiled.evaluate(context) === true) return undefined;
  } catch (error) {
    return invalidValue(path, value, `rule evaluation error: ${firstLine(error)}`);
  }
  return failure(rule, messageOf(compiled, context), `${path}${rule.fieldPath ?? ''}`, value);
}

function firstLine(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.split('\n', 1)[0] ?? '';
}

function messageOf({ rule, message }: CompiledRule, context: Record<string, unknown>): string {
  const fallback = rule.message ?? `failed rule: ${rule.rule.trim()}`;
  if (!message) return fallback;
  try {
    const text = message(context);
    return typeof text === 'string' && text.trim() !== '' ? text : fallback;
  } catch {
    return fallback;
  }
}

function failure({ reason }: ValidationRule, message: string, field: string, value: unknown): FieldError {
  switch (reason) {
    case 'FieldValueForbidden':
      return forbiddenField(field, message);
    case 'FieldValueRequired':
      return required(field, message);
    case 'FieldValueDuplicate':
      return duplicate(field, value);
    default:
      return typeof value === 'object'
        ? { type: 'FieldValueInvalid', field, body: `Invalid value: ${message}` }
        : invalidValue(field, value, message);
  }
}

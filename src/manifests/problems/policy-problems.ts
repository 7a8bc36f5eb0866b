import { BOOL, DYN, STRING, type CelType } from '../../crd/cel/check/cel-type.js';
import { declTypeOf } from '../../crd/cel/check/decl-type.js';
import { compileExpression, outputType } from '../../crd/cel/compile-expression.js';
import { objectsAsMaps } from '../../crd/cel/syntax/object-literals.js';
import { parseExpression } from '../../crd/cel/syntax/parse.js';
import { formatSourceErrors, SourceError } from '../../crd/cel/syntax/source-error.js';
import { POLICY } from '../../resource/decorators/policy.js';
import type { Diagnostics } from '../../resource/diagnostics.js';
import { decoratorUse } from '../../resource/metadata.js';
import type { ResourceModel } from '../../resource/model.js';
import type { PolicyModel } from '../../resource/webhooks/policy-model.js';
import { openApiSchema } from '../crd/schema.js';

/** An expression of a policy, and the type that it must have. */
interface PolicyExpression {
  readonly index: number;
  readonly option: string;
  readonly source: string;
  /** Undefined for a change, whose types only the API server knows. */
  readonly type: CelType | undefined;
}

/**
 * Adds a diagnostic for each expression of a policy that is not valid CEL, or does not fit the fields of the class.
 *
 * The API server reports the latter in the status of a policy only.
 */
export function collectPolicyExpressions(model: ResourceModel, diagnostics: Diagnostics): void {
  const { target, policies } = model;
  if (policies.length === 0) return;
  const object = objectType(model);
  for (const { index, option, source, type } of policies.flatMap(policyExpressions)) {
    const problem = type ? typeProblem(source, type, object) : syntaxProblem(source);
    if (problem === undefined) continue;
    const location = { target, decorator: decoratorUse(POLICY, target, index) };
    diagnostics.add(location, `@Policy: ${option} is not valid: ${problem}`, 'correct the expression');
  }
}

/** The expressions of a policy in the order of its options. */
export function policyExpressions(policy: PolicyModel): PolicyExpression[] {
  const match = policy.matchConditions.find(({ name }) => name === 'match')?.expression;
  const index = policy.type === 'Mutating' ? policy.index : (policy.validations[0]?.index ?? 0);
  return [
    ...expression(index, 'match', match, BOOL),
    ...(policy.type === 'Mutating'
      ? [...expression(index, 'apply', policy.apply, undefined), ...expression(index, 'patch', policy.patch, undefined)]
      : policy.validations.flatMap((rule) => [
          ...expression(rule.index, 'the expression', rule.expression, BOOL),
          ...expression(rule.index, 'messageExpression', rule.messageExpression, STRING),
        ])),
  ];
}

function expression(index: number, option: string, source: string | undefined, type: CelType | undefined) {
  return source === undefined ? [] : [{ index, option, source, type }];
}

function typeProblem(source: string, type: CelType, object: CelType): string | undefined {
  const others = { request: DYN, namespaceObject: DYN, authorizer: DYN };
  const compiled = compileExpression(source, { object, oldObject: object, ...others }, { mixed: true });
  if (typeof compiled === 'string') return compiled;
  const found = outputType(compiled);
  if (!found || found.kind === 'dyn' || found.kind === type.kind) return undefined;
  return `it must return a ${type.name}, but returns ${found.name}`;
}

function syntaxProblem(source: string): string | undefined {
  try {
    parseExpression(objectsAsMaps(source));
    return undefined;
  } catch (error) {
    if (error instanceof SourceError) return formatSourceErrors(source, [error]);
    throw error;
  }
}

/** The type of the class's objects. Their metadata is not part of the schema, and those of other kinds have none. */
export function objectType(model: ResourceModel): CelType {
  const type = model.definesKind ? declTypeOf(openApiSchema(model), true)?.type : undefined;
  if (!type) return DYN;
  return { ...type, fields: new Map([...(type.fields ?? []), ['metadata', DYN]]) };
}

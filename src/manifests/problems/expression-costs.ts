import { DYN } from '../../crd/cel/check/cel-type.js';
import { declTypeOf } from '../../crd/cel/check/decl-type.js';
import { compileExpression } from '../../crd/cel/compile-expression.js';
import { estimateCost } from '../../crd/cel/cost/cost-estimator.js';
import { POLICY } from '../../resource/decorators/policy.js';
import { located, type Location } from '../../resource/location.js';
import { decoratorUse } from '../../resource/metadata.js';
import type { ResourceModel } from '../../resource/model.js';
import { openApiSchema } from '../crd/schema.js';
import { objectType, policyExpressions } from './policy-problems.js';

/** The cost at which the API server cancels an evaluation: PerCallLimit of k8s.io/apiserver/pkg/apis/cel/config.go. */
const COST_LIMIT = 1_000_000;
/** Estimates of values of unknown size: metadata, and values without a schema. */
const UNKNOWN_COST = 2 ** 60;

interface CostlyExpression {
  readonly location: Location;
  readonly option: string;
  readonly source: string;
  readonly failurePolicy: 'Fail' | 'Ignore';
}

/**
 * Warnings about expressions of webhooks and policies that may exceed the cost limit for an object that the schema
 * allows. The API server accepts such an expression, and applies the limit to each evaluation.
 */
export function expressionCosts(model: ResourceModel): string[] {
  const expressions = [...ofWebhooks(model), ...ofPolicies(model)];
  if (expressions.length === 0 || !model.definesKind) return [];
  const root = declTypeOf(openApiSchema(model), true);
  if (!root) return [];
  const object = objectType(model);
  const variables = { object, oldObject: object, request: DYN, namespaceObject: DYN, authorizer: DYN };
  return expressions.flatMap(({ location, option, source, failurePolicy }) => {
    const compiled = compileExpression(source, variables, { mixed: true });
    const cost = typeof compiled === 'string' ? 0 : estimateCost(compiled, root);
    if (cost <= COST_LIMIT || cost >= UNKNOWN_COST) return [];
    const times = Math.round((cost / COST_LIMIT) * 10) / 10;
    const effect = failurePolicy === 'Fail' ? 'rejects the request' : 'admits the request unchecked';
    const text = `${option} may cost up to ${times} times the limit of the API server, which then ${effect}; set maxItems, maxProperties and maxLength of the fields that it reads`;
    return [located(location, text)];
  });
}

function ofWebhooks({ target, webhooks }: ResourceModel): CostlyExpression[] {
  return webhooks.flatMap(({ matchConditions, methods, failurePolicy }) =>
    matchConditions
      .filter(({ name }) => name === 'match')
      .map(({ expression: source }) => {
        return { location: { target, member: methods[0]?.method }, option: 'match', source, failurePolicy };
      }),
  );
}

function ofPolicies({ target, policies }: ResourceModel): CostlyExpression[] {
  return policies.flatMap((policy) =>
    policyExpressions(policy).flatMap(({ index, option, source, type }) => {
      const location = { target, decorator: decoratorUse(POLICY, target, index) };
      return type ? [{ location, option: `@Policy: ${option}`, source, failurePolicy: policy.failurePolicy }] : [];
    }),
  );
}

import { deepEqual } from '../../../base/deep-equal.js';
import { stringifyJson } from '../../../base/json.js';
import { jsonOf } from '../../../crd/cel/evaluate/dynamic-value.js';
import { JSON_PATCH_LIBRARY } from '../../../crd/cel/values/cel-value.js';
import { mergeValues } from '../../apply/merge-values.js';
import { StatusError } from '../../errors/status-error.js';
import {
  type ApiObject,
  type JsonObject,
  eachObject,
  isJsonObject,
  objectAt,
  stringAt,
} from '../../objects/api-object.js';
import { jsonPatch } from '../../patch/json-patch.js';
import { parseJsonPatch } from '../../patch/json-patch-operations.js';
import type { Resource } from '../../resources/resource.js';
import type { ResourceRegistry } from '../../resources/resource-registry.js';
import { DecodeReport } from '../../schema/decode-report.js';
import { namespaceOfRequest, refused, type AdmissionAttributes } from '../../registry/admission.js';
import type { AdmissionPlugin, MutationRound } from '../admission-plugin.js';
import { isAdmissionPolicy } from '../webhook/exempt.js';
import { Reinvocation } from '../webhook/reinvocation.js';
import { RequestMatcher } from '../webhook/request-matcher.js';
import type { Expressions, Variables } from '../../expressions/expressions.js';
import { unmetConditions } from '../../expressions/match-conditions.js';
import { boundPolicies, criteriaOf } from './policy.js';
import { PolicyExpressions } from '../../expressions/policy-expressions.js';
import { PolicyParams } from './policy-params.js';
import { policyVariables, type PolicySources } from '../policy-variables.js';

/** A policy with a binding and one of its parameters. */
interface Invocation {
  readonly id: string;
  readonly policy: ApiObject;
  readonly binding: ApiObject;
  readonly params: ApiObject | undefined;
}

/** Mutates requests by the expressions of MutatingAdmissionPolicies: admission/plugin/policy/mutating. */
export class MutatingAdmissionPolicies implements AdmissionPlugin {
  readonly name = 'MutatingAdmissionPolicy';
  private readonly matcher: RequestMatcher;
  private readonly params: PolicyParams;

  constructor(
    private readonly sources: PolicySources,
    resources: ResourceRegistry,
  ) {
    const { store } = sources;
    this.matcher = new RequestMatcher(store, resources);
    this.params = new PolicyParams(store, resources);
  }

  mutate(request: AdmissionAttributes, round: MutationRound): ApiObject {
    if (request.operation === 'DELETE' || isAdmissionPolicy(request)) return request.object;
    const invocations = this.invocations(request);
    if (invocations.length === 0) return request.object;
    const reinvocation = round.memory(this.name, () => new Reinvocation());
    if (round.isSecond) reinvocation.compare(request.object);
    let { object } = request;
    for (const invocation of invocations) {
      if (round.isSecond && !reinvocation.isDue(invocation.id)) continue;
      const mutated = this.apply(invocation, { ...request, object });
      if (!deepEqual(mutated, object)) {
        reinvocation.require();
        round.requestSecond();
      }
      if (stringAt(invocation.policy.spec, 'reinvocationPolicy') === 'IfNeeded') reinvocation.invoked(invocation.id);
      object = mutated;
    }
    reinvocation.remember(object);
    return object;
  }

  private invocations(request: AdmissionAttributes): Invocation[] {
    const bound = boundPolicies(this.sources.store, 'mutatingadmissionpolicies', 'mutatingadmissionpolicybindings');
    return bound.flatMap(({ policy, bindings }) => {
      const as = this.matcher.match(criteriaOf(objectAt(objectAt(policy, 'spec'), 'matchConstraints')), request);
      return as === undefined ? [] : bindings.flatMap((binding) => this.invocationsOf(policy, binding, request));
    });
  }

  private invocationsOf(policy: ApiObject, binding: ApiObject, request: AdmissionAttributes): Invocation[] {
    const criteria = criteriaOf(objectAt(objectAt(binding, 'spec'), 'matchResources'));
    if (!this.matcher.match(criteria, request)) return [];
    const names = `${policy.metadata.name}/${binding.metadata.name}`;
    try {
      return this.params.collect(policy, binding, namespaceOfRequest(request)).map((params) => ({
        id: `${names}/${params?.metadata.namespace ?? ''}/${params?.metadata.name ?? ''}`,
        policy,
        binding,
        params,
      }));
    } catch (error) {
      const why = `failed to configure binding: ${(error as Error).message}`;
      this.fail({ id: names, policy, binding, params: undefined }, request, why, 'Forbidden');
      return [];
    }
  }

  private apply(invocation: Invocation, request: AdmissionAttributes): ApiObject {
    const { policy, params } = invocation;
    const { resource } = request;
    const given = policyVariables(this.sources, request, resource, params);
    const expressions = PolicyExpressions.of(policy);
    const unmet = unmetConditions(objectAt(policy, 'spec').matchConditions, expressions.conditions, given);
    if (unmet instanceof Error) this.fail(invocation, request, unmet.message, 'Invalid');
    if (unmet) return request.object;
    let { object } = request;
    for (const mutation of eachObject(objectAt(policy, 'spec').mutations)) {
      try {
        const current = policyVariables(this.sources, { ...request, object }, resource, params);
        object = mutated(
          resource,
          object,
          mutation,
          expressions.mutations,
          expressions.withOwn({ ...current, jsonpatch: JSON_PATCH_LIBRARY }),
        );
      } catch (error) {
        this.fail(invocation, request, (error as Error).message, 'Invalid');
      }
    }
    return object;
  }

  /** @throws StatusError unless the policy ignores failures */
  private fail({ policy, binding }: Invocation, request: AdmissionAttributes, why: string, reason: string): void {
    if (objectAt(policy, 'spec').failurePolicy === 'Ignore') return;
    const { name } = policy.metadata;
    const message = `policy '${name}' with binding '${binding.metadata.name}' denied request: ${why}`;
    const { code, details } = refused(request, message);
    throw new StatusError(code, reason, message, { ...details, causes: [{ message }] });
  }
}

function mutated(
  resource: Resource,
  object: ApiObject,
  mutation: JsonObject,
  expressions: Expressions,
  variables: Variables,
): ApiObject {
  const isPatch = mutation.patchType === 'JSONPatch';
  const expression = stringAt(mutation[isPatch ? 'jsonPatch' : 'applyConfiguration'], 'expression');
  const value = jsonOf(expressions.evaluate(expression, variables));
  const next = isPatch
    ? jsonPatch(object, parseJsonPatch(stringifyJson(value), false).operations)
    : applied(resource, object, value);
  const decoded = resource.codec.decode(next as JsonObject, new DecodeReport());
  resource.codec.applyDefaults(decoded);
  return decoded;
}

function applied({ codec, apiVersion, kind }: Resource, object: ApiObject, value: unknown): JsonObject {
  if (!isJsonObject(value)) throw new Error('unsupported return type from ApplyConfiguration expression');
  return mergeValues(codec.mergeType, object, { apiVersion, kind, ...value }) as JsonObject;
}

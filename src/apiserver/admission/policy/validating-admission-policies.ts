import { ownMember } from '../../../base/own-member.js';
import { StatusError } from '../../errors/status-error.js';
import { arrayAt, objectAt, type ApiObject } from '../../objects/api-object.js';
import type { Resource } from '../../resources/resource.js';
import type { ResourceRegistry } from '../../resources/resource-registry.js';
import { namespaceOfRequest, refused, type AdmissionAttributes } from '../../registry/admission.js';
import type { AdmissionPlugin } from '../admission-plugin.js';
import { isAdmissionPolicy } from '../webhook/exempt.js';
import { RequestMatcher } from '../webhook/request-matcher.js';
import { boundPolicies, criteriaOf } from './policy.js';
import { PolicyParams } from './policy-params.js';
import { policyVariables, type PolicySources } from '../policy-variables.js';
import { verdictOf, type Violation } from './verdict.js';

const CODES: Readonly<Record<string, number>> = { Forbidden: 403, Unauthorized: 401, RequestEntityTooLarge: 413 };
const INVALID_CODE = 422;
/** The audit annotation for violations with the action Audit. */
const FAILURE = 'validation.policy.admission.k8s.io/validation_failure';

interface Denial extends Violation {
  readonly policy: string;
  /** Undefined when the policy itself is invalid. */
  readonly binding: string | undefined;
}

/** Validates requests by the expressions of ValidatingAdmissionPolicies: admission/plugin/policy/validating. */
export class ValidatingAdmissionPolicies implements AdmissionPlugin {
  readonly name = 'ValidatingAdmissionPolicy';
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

  validate(request: AdmissionAttributes): void {
    if (isAdmissionPolicy(request)) return;
    const bound = boundPolicies(this.sources.store, 'validatingadmissionpolicies', 'validatingadmissionpolicybindings');
    const [denial] = bound.flatMap(({ policy, bindings }) => {
      const as = this.matcher.match(criteriaOf(objectAt(objectAt(policy, 'spec'), 'matchConstraints')), request);
      if (!as) return [];
      const notes: [string, string][] = [];
      const denials = bindings.flatMap((binding) => this.denials(policy, binding, request, as, notes));
      publish(request, policy.metadata.name, notes);
      return denials;
    });
    if (denial) throw refusal(request, denial);
  }

  private denials(
    policy: ApiObject,
    binding: ApiObject,
    request: AdmissionAttributes,
    as: Resource,
    notes: (readonly [string, string])[],
  ): Denial[] {
    const spec = objectAt(binding, 'spec');
    if (!this.matcher.match(criteriaOf(objectAt(spec, 'matchResources')), request)) return [];
    const names = { policy: policy.metadata.name, binding: binding.metadata.name };
    let params;
    try {
      params = this.params.collect(policy, binding, namespaceOfRequest(request));
    } catch (error) {
      if (objectAt(policy, 'spec').failurePolicy === 'Ignore') return [];
      const message = `failed to configure binding: ${(error as Error).message}`;
      return [{ ...names, index: 0, message, reason: 'Invalid' }];
    }
    const verdicts = params.map((each) => verdictOf(policy, policyVariables(this.sources, request, as, each)));
    notes.push(...verdicts.flatMap((verdict) => verdict.notes));
    const found = verdicts.flatMap(({ violations }) => violations);
    const actions = arrayAt(spec, 'validationActions');
    if (actions.includes('Warn')) request.warnings?.push(...found.map((violation) => warning(names, violation)));
    if (actions.includes('Audit'))
      for (const violation of found) note(request, FAILURE, failureNote(names, violation, actions));
    return actions.includes('Deny') ? found.map((violation) => ({ ...violation, ...names })) : [];
  }
}

/** Sets an audit annotation unless it is already set. */
function note({ annotations }: AdmissionAttributes, key: string, value: string): void {
  if (annotations) annotations[key] ??= value;
}

/** Sets each audit annotation of a policy once, with the values of all bindings. */
function publish(request: AdmissionAttributes, policy: string, notes: readonly (readonly [string, string])[]): void {
  for (const key of new Set(notes.map(([name]) => name))) {
    const values = notes.filter(([name]) => name === key).map(([, value]) => value);
    note(request, `${policy}/${key}`, [...new Set(values)].join(', '));
  }
}

function failureNote(
  { policy, binding }: { policy: string; binding: string },
  { message, index }: Violation,
  validationActions: readonly unknown[],
): string {
  return JSON.stringify([{ message, policy, binding, expressionIndex: index, validationActions }]);
}

function warning({ policy, binding }: { policy: string; binding: string }, { message }: Violation): string {
  return `Validation failed for ValidatingAdmissionPolicy '${policy}' with binding '${binding}': ${message}`;
}

function refusal(request: AdmissionAttributes, { policy, binding = '', message, reason }: Denial): StatusError {
  const by = `ValidatingAdmissionPolicy '${policy}'${binding === '' ? '' : ` with binding '${binding}'`}`;
  const why = `${by} denied request: ${message}`;
  const { message: text, details } = refused(request, why);
  return new StatusError(ownMember(CODES, reason) ?? INVALID_CODE, reason, text, {
    ...details,
    causes: [{ message: why }],
  });
}

import type { LabelSelector } from '../../api/selection/label-selector.js';
import type { PolicyOptions } from '../decorators/policy.js';
import type { MatchCondition, WebhookRule } from './webhook-model.js';

/** The parts that both types of admission policies have. */
interface SharedPolicy {
  readonly name: string;
  readonly rules: readonly WebhookRule[];
  readonly failurePolicy: 'Fail' | 'Ignore';
  readonly matchConditions: readonly MatchCondition[];
  readonly namespaceSelector: LabelSelector | undefined;
  readonly objectSelector: LabelSelector | undefined;
}

/** A rule of a ValidatingAdmissionPolicy. */
export interface PolicyRuleModel {
  readonly expression: string;
  readonly message: string | undefined;
  readonly messageExpression: string | undefined;
  readonly reason: PolicyOptions['reason'] | undefined;
  /** Index of its decorator among those of the class. */
  readonly index: number;
}

/** A ValidatingAdmissionPolicy: the `@Policy` decorators of a class with the same scope and actions. */
export interface ValidatingPolicy extends SharedPolicy {
  readonly type: 'Validating';
  readonly validations: readonly PolicyRuleModel[];
  readonly actions: NonNullable<PolicyOptions['actions']>;
}

/** A MutatingAdmissionPolicy. */
export interface MutatingPolicy extends SharedPolicy {
  readonly type: 'Mutating';
  /** The fields to apply; undefined for a JSON patch. */
  readonly apply: string | undefined;
  readonly patch: string | undefined;
  readonly index: number;
  readonly reinvocationPolicy: 'Never' | 'IfNeeded';
}

/** An admission policy of a class. */
export type PolicyModel = ValidatingPolicy | MutatingPolicy;

import type { LabelSelector } from '../../api/selection/label-selector.js';
import type { Scope } from '../../api/kinds/kind-ref.js';

/** Which requests an admission webhook receives: admissionregistration.k8s.io/v1 RuleWithOperations. */
export interface WebhookRule {
  readonly apiGroups: readonly string[];
  readonly apiVersions: readonly string[];
  readonly operations: readonly string[];
  readonly resources: readonly string[];
  readonly scope: Scope;
}

/** A CEL expression that requests must fulfil. */
export interface MatchCondition {
  readonly name: string;
  readonly expression: string;
}

/** A method that an admission webhook calls. */
export interface WebhookMethod {
  /** Undefined for a check of the class's `@RuntimeOnly` rules. */
  readonly method: string | undefined;
  /** A static method gets the object as its first argument. */
  readonly isStatic: boolean;
  readonly operations: readonly string[];
  /** Undefined if it reviews writes of the object itself. */
  readonly subresources: readonly string[] | undefined;
  /** False for the default. */
  readonly statesFailurePolicy: boolean;
}

/** An admission webhook: the methods of a class with the same options. */
export interface WebhookModel {
  readonly type: 'Mutating' | 'Validating';
  readonly name: string;
  readonly path: string;
  /** True if options of its own select the requests that it receives. */
  readonly isFiltered: boolean;
  /** In source order, those of base classes first. */
  readonly methods: readonly WebhookMethod[];
  readonly rules: readonly WebhookRule[];
  readonly failurePolicy: 'Fail' | 'Ignore';
  readonly timeoutSeconds: number;
  readonly sideEffects: 'None' | 'NoneOnDryRun';
  readonly matchConditions: readonly MatchCondition[];
  readonly namespaceSelector: LabelSelector | undefined;
  readonly objectSelector: LabelSelector | undefined;
  /** Undefined for validating webhooks. */
  readonly reinvocationPolicy: 'Never' | 'IfNeeded' | undefined;
}

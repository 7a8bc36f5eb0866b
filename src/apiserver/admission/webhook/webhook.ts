import type { LabelSelector } from '../../../api/selection/label-selector.js';
import { eachObject, objectAt, type JsonObject } from '../../objects/api-object.js';
import type { ObjectStore } from '../../storage/object-store.js';
import type { MatchCondition } from '../../expressions/match-conditions.js';
import type { RuleWithOperations } from './rules.js';

/** admissionregistration.k8s.io/v1 ValidatingWebhook or MutatingWebhook, with its defaults. */
export interface Webhook {
  readonly name: string;
  readonly clientConfig: JsonObject;
  readonly rules?: readonly RuleWithOperations[];
  readonly failurePolicy?: 'Ignore' | 'Fail';
  readonly matchPolicy?: 'Exact' | 'Equivalent';
  readonly namespaceSelector?: LabelSelector;
  readonly objectSelector?: LabelSelector;
  readonly sideEffects?: string;
  readonly timeoutSeconds?: number;
  readonly admissionReviewVersions?: readonly string[];
  readonly matchConditions?: readonly MatchCondition[];
  readonly reinvocationPolicy?: 'Never' | 'IfNeeded';
}

/** A webhook with an identity that is unique across all configurations. */
export interface ConfiguredWebhook extends Webhook {
  readonly configuration: string;
  readonly id: string;
}

/** Returns the webhooks of all configurations of one kind in call order: by the name of the configuration. */
export function configuredWebhooks(
  store: ObjectStore,
  kind: 'mutatingwebhookconfigurations' | 'validatingwebhookconfigurations',
): ConfiguredWebhook[] {
  const configurations = [...store.collection(`${kind}.admissionregistration.k8s.io`).range('')];
  return configurations.flatMap(({ object }) => {
    const { name: configuration } = object.metadata;
    return eachObject(object.webhooks).map((webhook, index) => ({
      ...(webhook as unknown as Webhook),
      clientConfig: objectAt(webhook, 'clientConfig'),
      configuration,
      id: `${configuration}/${index}`,
    }));
  });
}

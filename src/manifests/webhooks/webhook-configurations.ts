import type { UnstructuredObject } from '../../api/objects/kube-object.js';
import type { ResourceModel } from '../../resource/model.js';
import { excludedNamespaces, namespaceSelector } from './namespace-selector.js';
import type { WebhookModel } from '../../resource/webhooks/webhook-model.js';
import { configurationName } from './injection-targets.js';

const TYPES = ['Mutating', 'Validating'] as const;

/** The options that all webhooks of a configuration share. */
export interface ConfigurationOptions {
  /** The prefix of `-mutating-webhook-configuration` and `-validating-webhook-configuration`. */
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  /** The only namespaces in which objects are reviewed; empty for all. */
  readonly namespaces?: readonly string[];
  /** The namespace of the operator; undefined if it runs outside of the cluster. */
  readonly ownNamespace?: string;
  /** Replaces the failure policy of all webhooks. */
  readonly failurePolicy?: WebhookModel['failurePolicy'] | undefined;
  /** Returns the address at which the API server calls the webhook with this path. */
  readonly clientConfig: (path: string) => object;
}

/**
 * The MutatingWebhookConfiguration and the ValidatingWebhookConfiguration of classes; none for a type without webhooks.
 *
 * `matchPolicy` is always Equivalent, so that requests in other versions of the kind do not bypass the webhooks.
 */
export function webhookConfigurations(
  models: readonly ResourceModel[],
  { name, labels, annotations, namespaces = [], ownNamespace, failurePolicy, clientConfig }: ConfigurationOptions,
): UnstructuredObject[] {
  return TYPES.flatMap((type) => {
    const webhooks = models.flatMap(({ definesKind, webhooks: all }) => {
      const excluded = definesKind ? [] : excludedNamespaces(ownNamespace);
      return all.filter((webhook) => webhook.type === type).map((webhook) => ({ webhook, excluded }));
    });
    if (webhooks.length === 0) return [];
    return [
      {
        apiVersion: 'admissionregistration.k8s.io/v1',
        kind: `${type}WebhookConfiguration`,
        metadata: {
          name: configurationName(name, type),
          labels: { ...labels },
          ...(annotations && { annotations: { ...annotations } }),
        },
        webhooks: webhooks.map(({ webhook, excluded }) => ({
          ...entry(webhook, clientConfig(webhook.path)),
          ...(failurePolicy && { failurePolicy }),
          ...namespaceSelector(webhook, namespaces, excluded),
        })),
      },
    ];
  });
}

function entry(webhook: WebhookModel, clientConfig: object) {
  const { name, rules, failurePolicy, timeoutSeconds, sideEffects, matchConditions } = webhook;
  const { objectSelector, reinvocationPolicy } = webhook;
  return {
    name,
    admissionReviewVersions: ['v1'],
    clientConfig,
    rules,
    failurePolicy,
    matchPolicy: 'Equivalent',
    sideEffects,
    timeoutSeconds,
    ...(matchConditions.length > 0 && { matchConditions }),
    ...(objectSelector && { objectSelector }),
    ...(reinvocationPolicy && { reinvocationPolicy }),
  };
}

import type { UnstructuredObject } from '../../api/objects/kube-object.js';
import type { WebhookRule } from '../../resource/webhooks/webhook-model.js';

/** A webhook of a configuration, as it is generated or stored. The API server adds empty selectors. */
export interface ConfiguredWebhook {
  readonly name: string;
  readonly clientConfig: {
    /** Undefined for a webhook with a URL. */
    readonly service?: { readonly name: string; readonly namespace: string; readonly path?: string };
  };
  readonly rules?: readonly WebhookRule[];
  readonly failurePolicy?: 'Fail' | 'Ignore';
  readonly matchConditions?: readonly object[];
  readonly namespaceSelector?: object;
  readonly objectSelector?: object;
}

/** The webhooks of a configuration; none if it does not exist. */
export function webhooksOf(configuration: UnstructuredObject | undefined): readonly ConfiguredWebhook[] {
  return (configuration as { readonly webhooks?: readonly ConfiguredWebhook[] } | undefined)?.webhooks ?? [];
}

/** The resources that a webhook reviews, such as `podsets.apps.example.com` or `podsets/scale.apps.example.com`. */
export function reviewedResources({ rules = [] }: ConfiguredWebhook): string[] {
  return rules.flatMap(({ apiGroups, resources }) =>
    resources.flatMap((resource) => apiGroups.map((group) => (group === '' ? resource : `${resource}.${group}`))),
  );
}

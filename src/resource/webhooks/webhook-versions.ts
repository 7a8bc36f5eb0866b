import { resourceName, type KindRef } from '../../api/kind-ref.js';
import type { Diagnostics } from '../diagnostics.js';
import type { WebhookModel } from './webhook-model.js';

interface Version {
  readonly target: new () => object;
  readonly className: string;
  readonly kind: KindRef;
  readonly webhooks: readonly WebhookModel[];
}

/**
 * Adds a diagnostic for each kind with webhooks in several versions: the API server converts a request to the version of
 * each, so that every write would call all of them.
 */
export function collectWebhookVersions(models: readonly Version[], diagnostics: Diagnostics): void {
  const byKind = Map.groupBy(models, ({ kind }) => resourceName(kind));
  for (const versions of byKind.values()) {
    const [first, ...others] = versions.filter(({ webhooks }) => webhooks.length > 0);
    for (const { target, webhooks } of others) {
      diagnostics.add(
        { target, member: webhooks[0]?.methods[0]?.method ?? '' },
        `${first?.className ?? ''} has webhooks too, and each write of ${first?.kind.kind ?? ''} would call both`,
        `keep the methods in one version: requests in other versions are converted to it`,
      );
    }
  }
}

import { isFilteredPath, pathPrefix, stablePath } from '../resource/webhooks/webhook-addresses.js';
import type { ClassWebhook } from './review-request.js';

/**
 * Finds the webhook for the path of a request.
 *
 * During a rolling update, the API server calls pods of one release with the configuration of another, which may name paths
 * that the classes of this process do not have: of options that were added, changed or removed.
 */
export class WebhookRoutes {
  private readonly byPath: ReadonlyMap<string, ClassWebhook>;

  constructor(private readonly webhooks: readonly ClassWebhook[]) {
    this.byPath = new Map(webhooks.map((each) => [each.webhook.path, each]));
  }

  get paths(): Iterable<string> {
    return this.byPath.keys();
  }

  /** Returns undefined for a path of another release too if the methods to call are ambiguous; failurePolicy decides then. */
  find(path: string): ClassWebhook | undefined {
    return this.byPath.get(path) ?? this.findOfOtherRelease(path);
  }

  private findOfOtherRelease(path: string): ClassWebhook | undefined {
    const all = this.webhooks.filter(({ model, webhook }) => {
      const prefix = pathPrefix(webhook.type, model.kind);
      return path === prefix || path.startsWith(`${prefix}-`);
    });
    const same = all.filter(({ webhook }) => stablePath(webhook.path) === stablePath(path));
    const candidates = same.length > 0 ? same : all;
    // Methods without a filter can be called for any request.
    const unfiltered = isFilteredPath(path) ? [] : candidates.filter(isUnfiltered);
    return combined(unfiltered.length > 0 ? unfiltered : candidates);
  }
}

/** One webhook with the methods of all; undefined for webhooks of several classes or with several filters. */
function combined(webhooks: readonly ClassWebhook[]): ClassWebhook | undefined {
  const [first, ...others] = webhooks;
  if (!first || others.length === 0) return first;
  if (others.some(({ model }) => model !== first.model) || !webhooks.every(isUnfiltered)) return undefined;
  const methods = webhooks.flatMap(({ webhook }) => webhook.methods);
  return { ...first, webhook: { ...first.webhook, methods } };
}

function isUnfiltered({ webhook }: ClassWebhook): boolean {
  return !webhook.isFiltered;
}

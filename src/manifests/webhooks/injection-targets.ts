import { resourceName } from '../../api/kind-ref.js';
import { hasConversion } from '../../resource/conversion/kind-conversion-of.js';
import type { Operator } from '../operator.js';

/** The names of the objects with the authority that API servers trust when they call an operator's webhooks. */
export interface InjectionTargets {
  /** MutatingWebhookConfigurations. */
  readonly mutating: readonly string[];
  /** ValidatingWebhookConfigurations. */
  readonly validating: readonly string[];
  /** CustomResourceDefinitions with a conversion. */
  readonly definitions: readonly string[];
}

/** The properties of an operator that determine the names of its webhook objects. */
export type WebhookOwner = Pick<Operator, 'name' | 'namespace' | 'watchNamespaces' | 'models'>;

export function injectionTargets(owner: WebhookOwner): InjectionTargets {
  const webhooks = owner.models.flatMap((model) => model.webhooks);
  const named = (type: 'Mutating' | 'Validating'): string[] =>
    webhooks.some((webhook) => webhook.type === type) ? [configurationName(configurationPrefix(owner), type)] : [];
  const converted = owner.models.filter(({ target }) => hasConversion(target));
  return {
    mutating: named('Mutating'),
    validating: named('Validating'),
    definitions: [...new Set(converted.map(({ kind }) => resourceName(kind)))],
  };
}

/**
 * Returns the prefix of the names of an operator's configurations. It contains the namespace if the operator watches some
 * namespaces only, so that several installations do not overwrite each other's configurations.
 */
export function configurationPrefix({ name, namespace, watchNamespaces }: Omit<WebhookOwner, 'models'>): string {
  return watchNamespaces.length > 0 ? `${name}-${namespace}` : name;
}

export function configurationName(prefix: string, type: 'Mutating' | 'Validating'): string {
  return `${prefix}-${type.toLowerCase()}-webhook-configuration`;
}

/** The Service at which API servers call the webhooks. */
export function webhookServiceName({ name }: Pick<WebhookOwner, 'name'>): string {
  return `${name}-webhook-service`;
}

/** The DNS names by which API servers and other clients in the cluster call the webhooks. */
export function webhookHosts(owner: Pick<WebhookOwner, 'name' | 'namespace'>): string[] {
  const host = `${webhookServiceName(owner)}.${owner.namespace}.svc`;
  return [host, `${host}.cluster.local`];
}

/** The Secret with the authority of the certificates that an operator issues for its webhooks. */
export function authoritySecretName({ name }: Pick<WebhookOwner, 'name'>): string {
  return `${name}-webhook-ca`;
}

import { resourceName } from '../../api/kinds/kind-ref.js';
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
export interface WebhookOwner extends Pick<Operator, 'name' | 'namespace' | 'watchNamespaces' | 'models'> {
  /** The names of objects that kustomize has renamed. */
  readonly renamed?: readonly string[];
}

/** The parts of names by which the webhook objects of an operator differ. */
const NAME_PARTS = [
  '-webhook-ca',
  '-webhook-service',
  '-mutating-webhook-configuration',
  '-validating-webhook-configuration',
] as const;

/** Returns true if a name, also with a prefix and suffix of kustomize, is that of a webhook object of an operator. */
export function isWebhookObjectName(name: string): boolean {
  return NAME_PARTS.some((part) => name.includes(part));
}

function actualName(name: string, { renamed = [] }: Pick<WebhookOwner, 'renamed'>): string {
  const part = NAME_PARTS.find((each) => name.endsWith(each)) ?? name;
  return renamed.find((other) => other.includes(part)) ?? name;
}

/** The generated names of the webhook objects that a process has to know. */
export function webhookObjectNames(owner: WebhookOwner): string[] {
  const { mutating, validating } = injectionTargets(owner);
  return [authoritySecretName(owner), webhookServiceName(owner), ...mutating, ...validating];
}

export function injectionTargets(owner: WebhookOwner): InjectionTargets {
  const webhooks = owner.models.flatMap((model) => model.webhooks);
  const named = (type: 'Mutating' | 'Validating'): string[] => {
    const isNeeded = webhooks.some((webhook) => webhook.type === type);
    return isNeeded ? [actualName(configurationName(configurationPrefix(owner), type), owner)] : [];
  };
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
export function configurationPrefix({
  name,
  namespace,
  watchNamespaces,
}: Omit<WebhookOwner, 'models' | 'renamed'>): string {
  return watchNamespaces.length > 0 ? `${name}-${namespace}` : name;
}

export function configurationName(prefix: string, type: 'Mutating' | 'Validating'): string {
  return `${prefix}-${type.toLowerCase()}-webhook-configuration`;
}

/** The Service at which API servers call the webhooks. */
export function webhookServiceName(owner: Pick<WebhookOwner, 'name' | 'renamed'>): string {
  return actualName(`${owner.name}-webhook-service`, owner);
}

/** The DNS names by which API servers and other clients in the cluster call the webhooks. */
export function webhookHosts(owner: Pick<WebhookOwner, 'name' | 'namespace' | 'renamed'>): string[] {
  const host = `${webhookServiceName(owner)}.${owner.namespace}.svc`;
  return [host, `${host}.cluster.local`];
}

/** The Secret with the authority of the certificates that an operator issues for its webhooks. */
export function authoritySecretName(owner: Pick<WebhookOwner, 'name' | 'renamed'>): string {
  return actualName(`${owner.name}-webhook-ca`, owner);
}

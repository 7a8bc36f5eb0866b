import { OperatorError } from '../../base/operator-error.js';
import type { ResourceRegistry } from '../resources/resource-registry.js';
import type { ObjectStore } from '../storage/object-store.js';
import type { AdmissionPlugin, RemoteAdmissionPlugin } from './admission-plugin.js';
import { NamespaceLifecycle } from './namespace-lifecycle.js';
import { MutatingWebhooks } from './webhook/mutating-webhooks.js';
import { RequestMatcher } from './webhook/request-matcher.js';
import { ValidatingWebhooks } from './webhook/validating-webhooks.js';
import { WebhookCaller } from './webhook/webhook-caller.js';
import type { WebhookClient } from './webhook/webhook-client.js';
import { ServiceAccountAdmission } from './pods/service-account-admission.js';

export interface AdmissionDependencies {
  readonly store: ObjectStore;
  readonly resources: ResourceRegistry;
  readonly webhooks: WebhookClient;
}

type NewPlugin = (dependencies: AdmissionDependencies) => AdmissionPlugin | RemoteAdmissionPlugin;

/** By Kubernetes' names, in Kubernetes' order: kubeapiserver/options/plugins.go. */
const PLUGINS = {
  NamespaceLifecycle: ({ store }) => new NamespaceLifecycle(store),
  ServiceAccount: ({ store }) => new ServiceAccountAdmission(store),
  MutatingAdmissionWebhook: (dependencies) => new MutatingWebhooks(dependencies.store, webhookCaller(dependencies)),
  ValidatingAdmissionWebhook: (dependencies) => new ValidatingWebhooks(dependencies.store, webhookCaller(dependencies)),
} satisfies Record<string, NewPlugin>;

/** An admission plugin that can be disabled, by Kubernetes' name. */
export type AdmissionPluginName = keyof typeof PLUGINS;

function webhookCaller({ store, resources, webhooks }: AdmissionDependencies): WebhookCaller {
  return new WebhookCaller(new RequestMatcher(store, resources), webhooks);
}

/** The plugins a server runs by default, but for the disabled ones. */
export function defaultPlugins(
  dependencies: AdmissionDependencies,
  disabled: readonly string[],
): (AdmissionPlugin | RemoteAdmissionPlugin)[] {
  const unknown = disabled.find((name) => !Object.hasOwn(PLUGINS, name));
  if (unknown !== undefined) {
    throw new OperatorError(`disableAdmissionPlugins: there is no admission plugin ${unknown}`, {
      code: 'E_ADMISSION_PLUGIN',
      hint: `use some of ${Object.keys(PLUGINS).join(', ')}`,
    });
  }
  return Object.entries<NewPlugin>(PLUGINS)
    .filter(([name]) => !disabled.includes(name))
    .map(([, create]) => create(dependencies));
}

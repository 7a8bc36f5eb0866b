import type { Clock } from '../../base/clock.js';
import { OperatorError } from '../../base/operator-error.js';
import type { RbacAuthorizer } from '../auth/rbac-authorizer.js';
import type { ResourceRegistry } from '../resources/resource-registry.js';
import type { ObjectStore } from '../storage/object-store.js';
import type { AdmissionPlugin, RemoteAdmissionPlugin } from './admission-plugin.js';
import {
  CertificateApproval,
  CertificateSigning,
  CertificateSubjectRestriction,
} from './certificates/certificate-plugins.js';
import { NamespaceLifecycle } from './namespace-lifecycle.js';
import { MutatingWebhooks } from './webhook/mutating-webhooks.js';
import { RequestMatcher } from './webhook/request-matcher.js';
import { ValidatingWebhooks } from './webhook/validating-webhooks.js';
import { WebhookCaller } from './webhook/webhook-caller.js';
import type { WebhookClient } from '../remote/webhook-client.js';
import { MutatingAdmissionPolicies } from './policy/mutating-admission-policies.js';
import { ValidatingAdmissionPolicies } from './policy/validating-admission-policies.js';
import { DefaultTolerationSeconds } from './pods/tolerations.js';
import { PodSecurity } from './podsecurity/pod-security.js';
import { Priority } from './pods/priority.js';
import { RuntimeClassAdmission } from './pods/runtime-class.js';
import { LimitRanger } from './quota/limit-ranger.js';
import { ResourceQuotaAdmission } from './quota/resource-quota.js';
import { PersistentVolumeClaimResize } from './storage/claim-resize.js';
import { DEFAULT_INGRESS_CLASS, DEFAULT_STORAGE_CLASS, DefaultClass } from './storage/default-class.js';
import { StorageObjectInUseProtection } from './storage/storage-object-in-use-protection.js';
import { ServiceAccountAdmission } from './pods/service-account-admission.js';
import { TaintNodesByCondition } from './taint-nodes-by-condition.js';

export interface AdmissionDependencies {
  readonly store: ObjectStore;
  readonly authorizer: RbacAuthorizer;
  readonly clock: Clock;
  readonly resources: ResourceRegistry;
  readonly webhooks: WebhookClient;
}

type NewPlugin = (dependencies: AdmissionDependencies) => AdmissionPlugin | RemoteAdmissionPlugin;

/** Plugins by Kubernetes' names, in Kubernetes' order: kubeapiserver/options/plugins.go. */
const PLUGINS = {
  NamespaceLifecycle: ({ store }) => new NamespaceLifecycle(store),
  LimitRanger: ({ store }) => new LimitRanger(store),
  ServiceAccount: ({ store }) => new ServiceAccountAdmission(store),
  TaintNodesByCondition: () => new TaintNodesByCondition(),
  PodSecurity: ({ store }) => new PodSecurity(store),
  Priority: ({ store }) => new Priority(store),
  DefaultTolerationSeconds: () => new DefaultTolerationSeconds(),
  DefaultStorageClass: ({ store }) => new DefaultClass(store, DEFAULT_STORAGE_CLASS),
  StorageObjectInUseProtection: () => new StorageObjectInUseProtection(),
  PersistentVolumeClaimResize: ({ store }) => new PersistentVolumeClaimResize(store),
  RuntimeClass: ({ store }) => new RuntimeClassAdmission(store),
  CertificateApproval: ({ authorizer }) => new CertificateApproval(authorizer),
  CertificateSigning: ({ authorizer }) => new CertificateSigning(authorizer),
  CertificateSubjectRestriction: () => new CertificateSubjectRestriction(),
  DefaultIngressClass: ({ store }) => new DefaultClass(store, DEFAULT_INGRESS_CLASS),
  MutatingAdmissionPolicy: (dependencies) => new MutatingAdmissionPolicies(dependencies, dependencies.resources),
  MutatingAdmissionWebhook: (dependencies) => new MutatingWebhooks(dependencies.store, webhookCaller(dependencies)),
  ValidatingAdmissionPolicy: (dependencies) => new ValidatingAdmissionPolicies(dependencies, dependencies.resources),
  ValidatingAdmissionWebhook: (dependencies) => new ValidatingWebhooks(dependencies.store, webhookCaller(dependencies)),
  ResourceQuota: ({ store, clock }) => new ResourceQuotaAdmission(store, clock),
} satisfies Record<string, NewPlugin>;

/** The Kubernetes name of an admission plugin that can be disabled. */
export type AdmissionPluginName = keyof typeof PLUGINS;

export function isAdmissionPlugin(name: string): name is AdmissionPluginName {
  return Object.hasOwn(PLUGINS, name);
}

function webhookCaller({ store, authorizer, resources, webhooks }: AdmissionDependencies): WebhookCaller {
  return new WebhookCaller(authorizer, new RequestMatcher(store, resources), webhooks);
}

/** Creates the default plugins except the disabled ones. */
export function defaultPlugins(
  dependencies: AdmissionDependencies,
  disabled: readonly string[],
): (AdmissionPlugin | RemoteAdmissionPlugin)[] {
  const unknown = disabled.find((name) => !isAdmissionPlugin(name));
  if (unknown !== undefined) {
    throw new OperatorError(`disableAdmissionPlugins: unknown admission plugin ${unknown}`, {
      code: 'E_ADMISSION_PLUGIN',
      hint: `use one of ${Object.keys(PLUGINS).join(', ')}`,
    });
  }
  return Object.entries<NewPlugin>(PLUGINS)
    .filter(([name]) => !disabled.includes(name))
    .map(([, create]) => create(dependencies));
}

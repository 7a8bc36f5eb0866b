import type { Operator } from '../operator.js';
import { injectionTargets, webhookHosts, webhookServiceName } from '../webhooks/injection-targets.js';
import { certificateName, hasWebhooks, INJECTION } from '../webhooks/webhook-objects.js';

const ADMISSION = 'admissionregistration.k8s.io';
const SELECTED_NAMESPACES = 'namespaceSelector/matchExpressions/values';

/** A field that holds the name of an object. */
interface NameField {
  readonly group: string;
  readonly kind: string;
  readonly path: string;
}

const ARGUMENTS: NameField = { group: 'apps', kind: 'Deployment', path: 'spec/template/spec/containers/args' };
const RESOURCE_NAMES: NameField = {
  group: 'rbac.authorization.k8s.io',
  kind: 'ClusterRole',
  path: 'rules/resourceNames',
};
const CONVERSION: NameField = {
  group: 'apiextensions.k8s.io',
  kind: 'CustomResourceDefinition',
  path: 'spec/conversion/webhook/clientConfig/service',
};

/**
 * The configuration by which kustomize follows references that it does not know by itself, when an overlay sets namePrefix,
 * nameSuffix or namespace. It applies to all overlays of the base that names it.
 */
export const REFERENCE_CONFIGURATION: object = {
  nameReference: [
    referenced('Service', '', [CONVERSION, ARGUMENTS]),
    referenced('Secret', '', [ARGUMENTS]),
    referenced('MutatingWebhookConfiguration', ADMISSION, [RESOURCE_NAMES, ARGUMENTS]),
    referenced('ValidatingWebhookConfiguration', ADMISSION, [RESOURCE_NAMES, ARGUMENTS]),
    referenced('Issuer', 'cert-manager.io', [
      { group: 'cert-manager.io', kind: 'Certificate', path: 'spec/issuerRef/name' },
    ]),
    ...['Mutating', 'Validating'].map((type) =>
      referenced(`${type}AdmissionPolicy`, ADMISSION, [
        { group: ADMISSION, kind: `${type}AdmissionPolicyBinding`, path: 'spec/policyName' },
      ]),
    ),
    // the namespace of the operator, which its webhooks and policies leave out
    referenced(
      'Namespace',
      '',
      ['Mutating', 'Validating'].flatMap((type) => [
        { group: ADMISSION, kind: `${type}WebhookConfiguration`, path: `webhooks/${SELECTED_NAMESPACES}` },
        { group: ADMISSION, kind: `${type}AdmissionPolicy`, path: `spec/matchConstraints/${SELECTED_NAMESPACES}` },
      ]),
    ),
  ],
};

function referenced(kind: string, group: string, fieldSpecs: readonly NameField[]): object {
  return { kind, ...(group === '' ? { version: 'v1' } : { group }), fieldSpecs };
}

/** Objects that a replacement reads from, or writes to. */
interface Selected {
  readonly kind: string;
  readonly name: string;
}

/**
 * Replacements of names within texts: the addresses in a Certificate of cert-manager, and the annotation that names it. They
 * apply to prefix, suffix and namespace of the kustomization that lists them, not to those of its overlays.
 */
export function certificateReplacements(operator: Operator): object[] {
  if (operator.certificates !== 'cert-manager' || !hasWebhooks(operator)) return [];
  const { mutating, validating, definitions } = injectionTargets(operator);
  const certificate = { kind: 'Certificate', name: certificateName(operator) };
  const service = { kind: 'Service', name: webhookServiceName(operator) };
  const injected = [
    ...mutating.map((name) => ({ kind: 'MutatingWebhookConfiguration', name })),
    ...validating.map((name) => ({ kind: 'ValidatingWebhookConfiguration', name })),
    ...definitions.map((name) => ({ kind: 'CustomResourceDefinition', name })),
  ];
  const hosts = webhookHosts(operator).map((_, index) => `spec.dnsNames.${index}`);
  const annotation = [`metadata.annotations.[${INJECTION}]`];
  return [
    replacement(service, 'name', { delimiter: '.', index: 0 }, [certificate], hosts),
    replacement(service, 'namespace', { delimiter: '.', index: 1 }, [certificate], hosts),
    replacement(certificate, 'namespace', { delimiter: '/', index: 0 }, injected, annotation),
    replacement(certificate, 'name', { delimiter: '/', index: 1 }, injected, annotation),
  ];
}

function replacement(
  source: Selected,
  field: 'name' | 'namespace',
  options: { readonly delimiter: string; readonly index: number },
  targets: readonly Selected[],
  fieldPaths: readonly string[],
): object {
  return {
    source: { ...source, fieldPath: `metadata.${field}` },
    targets: targets.map((select) => ({ select, fieldPaths, options })),
  };
}

import { apiVersionOf, type KindRef } from '../../api/kinds/kind-ref.js';
import {
  ClusterRole,
  ClusterRoleBinding,
  CustomResourceDefinition,
  Deployment,
  MutatingAdmissionPolicy,
  MutatingAdmissionPolicyBinding,
  MutatingWebhookConfiguration,
  Namespace,
  PodDisruptionBudget,
  Role,
  RoleBinding,
  Secret,
  Service,
  ServiceAccount,
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
  ValidatingWebhookConfiguration,
} from '../../api/kinds/kinds.js';
import type { UnstructuredObject } from '../../api/objects/kube-object.js';
import { parseYamlDocuments } from '../../base/yaml.js';
import { definitionPath, generateManifests } from '../../manifests/generate.js';
import { isRun } from '../../resource/is-run.js';
import type { ManifestOptions, ManifestSource } from '../../manifests/operator.js';

/** An object to apply, and its kind. */
export interface OperatorObject {
  readonly kind: KindRef<UnstructuredObject>;
  readonly object: UnstructuredObject;
}

const KINDS = [
  Namespace,
  ServiceAccount,
  ClusterRole,
  Role,
  ClusterRoleBinding,
  RoleBinding,
  CustomResourceDefinition,
  Secret,
  ofCertManager('Issuer', 'issuers'),
  ofCertManager('Certificate', 'certificates'),
  Service,
  Deployment,
  PodDisruptionBudget,
  MutatingWebhookConfiguration,
  ValidatingWebhookConfiguration,
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
  MutatingAdmissionPolicy,
  MutatingAdmissionPolicyBinding,
] as unknown as readonly KindRef<UnstructuredObject>[];

function ofCertManager(kind: string, plural: string): KindRef {
  return { group: 'cert-manager.io', version: 'v1', kind, plural, scope: 'Namespaced' };
}

/** Returns true for a webhook configuration, which must exist only while the operator runs. */
export function isWebhookConfiguration({ kind }: OperatorObject): boolean {
  return kind.kind.endsWith('WebhookConfiguration');
}

/**
 * The definitions and objects of operators and the policies of other classes, in the order in which they can be created;
 * shared objects once.
 */
export function operatorObjects(sources: readonly ManifestSource[], options: ManifestOptions): OperatorObject[] {
  const run = sources.map(({ model }) => model).filter(isRun);
  const definitions = new Set(run.map(({ kind }) => definitionPath(kind)));
  const files = generateManifests(sources, { ...options, layout: 'plain' }).filter(
    ({ path }) => definitions.has(path) || /^([^/]+\/\d\d-|policies\/).*\.yaml$/.test(path),
  );
  const objects = files
    .toSorted((a, b) => (stepOf(a.path) < stepOf(b.path) ? -1 : 1))
    .flatMap(({ path, content }) => parseYamlDocuments(content, path) as UnstructuredObject[])
    .map((object) => ({ kind: kindOf(object), object }));
  return [...new Map(objects.map((each) => [describeObject(each), each])).values()];
}

/** `deployment podset-system/podset-controller-manager` */
export function describeObject({ kind, object: { metadata } }: OperatorObject): string {
  const name = metadata.namespace === undefined ? metadata.name : `${metadata.namespace}/${metadata.name}`;
  return `${kind.kind} ${name}`;
}

/** The sort key of a file: `05-deployment.yaml`, then the operator. Definitions come first. */
function stepOf(path: string): string {
  const [operator = '', file = ''] = path.split('/');
  return `${file}/${operator}`;
}

function kindOf({ apiVersion, kind }: UnstructuredObject): KindRef<UnstructuredObject> {
  const found = KINDS.find((known) => known.kind === kind && apiVersion === apiVersionOf(known));
  if (!found) throw new TypeError(`unexpected kind ${String(kind)} in the manifests of an operator`);
  return found;
}

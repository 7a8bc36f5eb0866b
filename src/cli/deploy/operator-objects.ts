import { apiVersionOf, type KindRef } from '../../api/kind-ref.js';
import {
  ClusterRole,
  ClusterRoleBinding,
  CustomResourceDefinition,
  Deployment,
  Namespace,
  Role,
  RoleBinding,
  ServiceAccount,
} from '../../api/kinds.js';
import type { UnstructuredObject } from '../../api/kube-object.js';
import { parseYamlDocuments } from '../../base/yaml.js';
import { generateManifests } from '../../manifests/generate.js';
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
  Deployment,
] as unknown as readonly KindRef<UnstructuredObject>[];

/** What the folders of operators hold, in the order in which it can be made; shared objects once. */
export function operatorObjects(sources: readonly ManifestSource[], options: ManifestOptions): OperatorObject[] {
  const files = generateManifests(sources, { ...options, layout: 'plain' }).filter(({ path }) =>
    /^[^/]+\/\d\d-.*\.yaml$/.test(path),
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

/** `05-deployment.yaml`, and then the operator. */
function stepOf(path: string): string {
  const [operator = '', file = ''] = path.split('/');
  return `${file}/${operator}`;
}

function kindOf({ apiVersion, kind }: UnstructuredObject): KindRef<UnstructuredObject> {
  const found = KINDS.find((known) => known.kind === kind && apiVersion === apiVersionOf(known));
  if (!found) throw new TypeError(`no operator has a ${String(kind)}`);
  return found;
}

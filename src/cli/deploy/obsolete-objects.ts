import {
  MutatingAdmissionPolicy,
  MutatingAdmissionPolicyBinding,
  MutatingWebhookConfiguration,
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
  ValidatingWebhookConfiguration,
} from '../../api/kinds/kinds.js';
import type { KindRef } from '../../api/kinds/kind-ref.js';
import type { UnstructuredObject } from '../../api/objects/kube-object.js';
import { NotFoundError } from '../../client/api-error.js';
import type { Client } from '../../client/client.js';
import { commonLabels } from '../../manifests/labels.js';
import { operatorsOf, type ManifestOptions, type ManifestSource, type Operator } from '../../manifests/operator.js';
import { isRun } from '../../resource/is-run.js';
import { describeObject, type OperatorObject } from './operator-objects.js';

/** Bindings first: a policy without a binding has no effect. */
const KINDS = [
  MutatingWebhookConfiguration,
  ValidatingWebhookConfiguration,
  ValidatingAdmissionPolicyBinding,
  ValidatingAdmissionPolicy,
  MutatingAdmissionPolicyBinding,
  MutatingAdmissionPolicy,
] as unknown as readonly KindRef<UnstructuredObject>[];

type Owner = Pick<Operator, 'name' | 'namespace' | 'watchNamespaces'>;

/**
 * Returns the webhook configurations and admission policies in the cluster that an earlier release of the operators
 * had, and that their classes no longer generate. They would reject writes that nothing reviews.
 *
 * @param generated the objects that the classes generate
 */
export async function obsoleteObjects(
  client: Client,
  sources: readonly ManifestSource[],
  options: ManifestOptions,
  generated: readonly OperatorObject[],
): Promise<OperatorObject[]> {
  const present = new Set(generated.map(describeObject));
  const found = await Promise.all(
    ownersOf(sources, options).flatMap((owner) => KINDS.map((kind) => objectsOfOwner(client, kind, owner))),
  );
  return found.flat().filter((each) => !present.has(describeObject(each)));
}

/** Operators, and the classes without an operator that have policies. */
function ownersOf(sources: readonly ManifestSource[], options: ManifestOptions): Owner[] {
  const { namespace, watchNamespaces = [] } = options;
  const others = sources.filter(({ model }) => !isRun(model));
  return [
    ...operatorsOf(sources, options),
    // A class without policies may represent a kind of another project, to which all policies belong.
    ...others.flatMap(({ model: { controller, policies } }) =>
      policies.length === 0
        ? []
        : [{ name: controller.name, namespace: namespace ?? controller.namespace, watchNamespaces }],
    ),
  ];
}

async function objectsOfOwner(
  client: Client,
  kind: KindRef<UnstructuredObject>,
  owner: Owner,
): Promise<OperatorObject[]> {
  const { items } = await client
    .list(kind, { labelSelector: { matchLabels: commonLabels(owner) }, keepManagedFields: true })
    .catch((error: unknown) => {
      if (error instanceof NotFoundError) return { items: [] }; // older clusters have no MutatingAdmissionPolicy
      throw error;
    });
  return items.filter((object) => isOfInstallation(object, owner)).map((object) => ({ kind, object }));
}

/** Installations of an operator for several namespaces have the same labels. */
function isOfInstallation(object: UnstructuredObject, { namespace, watchNamespaces }: Owner): boolean {
  const { webhooks } = object as unknown as { readonly webhooks?: readonly Webhook[] };
  if (webhooks)
    return webhooks.every(({ clientConfig: { service } }) => service === undefined || service.namespace === namespace);
  const { name } = object.metadata;
  return watchNamespaces.length === 0 || name.endsWith(`.${namespace}`);
}

interface Webhook {
  readonly clientConfig: { readonly service?: { readonly namespace: string } };
}

import {
  MutatingAdmissionPolicy,
  MutatingAdmissionPolicyBinding,
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
} from '../../api/kinds/kinds.js';
import type { KindRef } from '../../api/kinds/kind-ref.js';
import type { UnstructuredObject } from '../../api/objects/kube-object.js';
import type { Logger } from '../../base/logger.js';
import { ownMember } from '../../base/own-member.js';
import type { Client } from '../../client/client.js';
import { policyObjects } from '../../manifests/webhooks/policy-objects.js';
import type { ResourceModel } from '../../resource/model.js';

const KINDS = {
  MutatingAdmissionPolicy,
  MutatingAdmissionPolicyBinding,
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
} as unknown as Readonly<Partial<Record<string, KindRef<UnstructuredObject>>>>;

/** Applies the admission policies of classes. API servers honor them within a second. */
export async function installPolicies(
  client: Client,
  models: readonly ResourceModel[],
  { logger, signal }: { readonly logger: Logger; readonly signal: AbortSignal },
): Promise<void> {
  const objects = policyObjects(models, { labels: { 'app.kubernetes.io/managed-by': 'kindwright' } });
  for (const object of objects) {
    const { kind: name = '' } = object;
    const kind = ownMember(KINDS, name);
    if (!kind) throw new TypeError(`unexpected kind ${name}`);
    await client.apply(kind, object, { fieldManager: 'kindwright', force: true, signal });
    if (!name.endsWith('Binding')) logger.info(`${name} ${object.metadata.name} is installed`);
  }
}

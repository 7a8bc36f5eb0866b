import { Service, ServiceAccount } from '../../api/kinds/kinds.js';
import type { KindRef } from '../../api/kinds/kind-ref.js';
import type { UnstructuredObject } from '../../api/objects/kube-object.js';
import { keyOf } from '../../api/objects/object-key.js';
import { OperatorError } from '../../base/operator-error.js';
import type { Client } from '../../client/client.js';
import { find } from './delete-and-wait.js';
import { describeObject, type OperatorObject } from './operator-objects.js';

/** The ServiceAccount or the Service of an operator. */
interface Installation {
  readonly kind: KindRef;
  readonly name: string;
  readonly namespace: string;
}

/**
 * Checks that no cluster-scoped object to apply belongs to another operator, which would lose its permissions or webhooks:
 * one whose ServiceAccount or Service is another and exists.
 *
 * @throws OperatorError that names the other operator
 */
export async function assertNoOtherOperator(client: Client, objects: readonly OperatorObject[]): Promise<void> {
  for (const each of objects) {
    const own = installationOf(each.object);
    if (!own || each.object.metadata.namespace !== undefined) continue;
    const present = await find(client, each.kind, each.object.metadata);
    const other = present && installationOf(present);
    if (!other || keyOf(other.name, other.namespace) === keyOf(own.name, own.namespace)) continue;
    if (await find(client, other.kind, other)) throw taken(each, other);
  }
}

function taken(each: OperatorObject, { kind, name, namespace }: Installation): OperatorError {
  return new OperatorError(
    `${describeObject(each)} belongs to another operator, with ${kind.kind} ${keyOf(name, namespace)}; nothing was applied`,
    {
      code: 'E_CONFLICT',
      hint: `name this operator differently with @Controller({ name: '…' }), or undeploy the other one first`,
    },
  );
}

/** Returns the account that a binding is for, or the Service of webhooks. */
function installationOf(object: UnstructuredObject): Installation | undefined {
  const { subjects = [], webhooks = [] } = object as Partial<BoundObject>;
  const [account] = subjects;
  if (account?.kind === 'ServiceAccount') return { ...named(account), kind: ServiceAccount };
  const service = webhooks.find(({ clientConfig }) => clientConfig.service)?.clientConfig.service;
  return service && { ...named(service), kind: Service };
}

function named({ name, namespace = '' }: Reference): Pick<Installation, 'name' | 'namespace'> {
  return { name, namespace };
}

interface Reference {
  readonly kind?: string;
  readonly name: string;
  readonly namespace?: string;
}

interface BoundObject {
  readonly subjects: readonly Reference[];
  readonly webhooks: readonly { readonly clientConfig: { readonly service?: Reference } }[];
}

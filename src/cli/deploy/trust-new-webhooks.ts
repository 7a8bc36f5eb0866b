import type { Client } from '../../client/client.js';
import { disownFields } from '../../client/fields/field-ownership.js';
import { CA_BUNDLE_MANAGER, serviceWebhooks } from '../../manager/webhooks/certificates/injection-target.js';
import { webhooksOf } from './configured-webhooks.js';
import { find } from './delete-and-wait.js';
import type { OperatorObject } from './operator-objects.js';

/** The `caBundle` that API servers use for the webhooks of the objects; undefined if none is set, or several are. */
export async function presentBundle(client: Client, objects: readonly OperatorObject[]): Promise<string | undefined> {
  const called = objects.filter(({ object }) => serviceWebhooks(object).length > 0);
  const services = new Set(called.flatMap(({ object }) => serviceWebhooks(object).map(serviceOf)));
  if (services.size !== 1) return undefined; // operators have authorities of their own
  const present = await Promise.all(called.map(({ kind, object }) => find(client, kind, object.metadata)));
  const bundles = present
    .flatMap((object) => (object ? serviceWebhooks(object) : []))
    .filter((webhook) => services.has(serviceOf(webhook)))
    .map(({ config }) => config.caBundle ?? '');
  const [bundle = '', ...others] = new Set(bundles.filter((each) => each !== ''));
  return bundle === '' || others.length > 0 ? undefined : bundle;
}

/**
 * Adds the webhooks that a configuration in the cluster does not have yet, with their `caBundle`. Without it, calls fail
 * until the operator has set it.
 */
export async function trustNewWebhooks(
  client: Client,
  { kind, object }: OperatorObject,
  caBundle: string,
): Promise<void> {
  const present = await find(client, kind, object.metadata);
  const names = new Set(webhooksOf(present).map(({ name }) => name));
  const added = webhooksOf(object).filter(({ name }) => !names.has(name));
  if (added.length === 0) return;
  const { name } = object.metadata;
  const webhooks = added.map((each) => ({ ...each, clientConfig: { ...each.clientConfig, caBundle } }));
  const applied = { apiVersion: object.apiVersion, kind: object.kind, metadata: { name }, webhooks };
  const result = await client.apply(kind, applied, { fieldManager: CA_BUNDLE_MANAGER, force: true });
  await disownFields(client, kind, result, CA_BUNDLE_MANAGER);
}

function serviceOf({ config }: ReturnType<typeof serviceWebhooks>[number]): string {
  const { name = '', namespace = '' } = (config.service ?? {}) as {
    readonly name?: string;
    readonly namespace?: string;
  };
  return `${namespace}/${name}`;
}

import { resourceName, type KindRef } from '../../api/kinds/kind-ref.js';
import {
  EndpointSlice,
  MutatingWebhookConfiguration,
  Service,
  ValidatingWebhookConfiguration,
} from '../../api/kinds/kinds.js';
import type { UnstructuredObject } from '../../api/objects/kube-object.js';
import { ForbiddenError } from '../../client/api-error.js';
import type { Client } from '../../client/client.js';
import { MANAGED_BY } from '../../manifests/labels.js';
import { reviewedResources, webhooksOf } from './configured-webhooks.js';
import { find } from './delete-and-wait.js';
import { describeObject, type OperatorObject } from './operator-objects.js';

const KINDS = [
  MutatingWebhookConfiguration,
  ValidatingWebhookConfiguration,
] as unknown as readonly KindRef<UnstructuredObject>[];

type ServiceName = Readonly<Record<'name' | 'namespace', string>>;

/**
 * Returns a warning for each configuration of another operator that rejects writes of the kinds, because the Service of
 * its webhooks has no ready endpoints. It may belong to a former name of the operator, or to another operator that does not
 * run at present. The objects do not show which, so it must not be deleted.
 *
 * @param generated the objects that the classes generate
 */
export async function unservedConfigurations(
  client: Client,
  kinds: readonly KindRef[],
  generated: readonly OperatorObject[],
): Promise<string[]> {
  const own = new Set(generated.map(describeObject));
  const lists = await Promise.all(
    KINDS.map(async (kind) => {
      const { items } = await client.list(kind, { labelSelector: { matchLabels: MANAGED_BY } });
      return items.map((object) => ({ kind, object })).filter((each) => !own.has(describeObject(each)));
    }),
  );
  const resources = new Set(kinds.map(resourceName));
  const warnings = await Promise.all(lists.flat().map((each) => warningsOf(client, each, resources)));
  return warnings.flat();
}

async function warningsOf(
  client: Client,
  configuration: OperatorObject,
  resources: ReadonlySet<string>,
): Promise<string[]> {
  const calls = webhooksOf(configuration.object).flatMap((webhook) => {
    const { service } = webhook.clientConfig;
    const reviewed = reviewedResources(webhook).filter((resource) => resources.has(resource));
    return service && webhook.failurePolicy !== 'Ignore' ? reviewed.map((resource) => ({ service, resource })) : [];
  });
  const warnings: string[] = [];
  for (const [name, ofService] of Map.groupBy(calls, ({ service }) => `${service.namespace}/${service.name}`)) {
    const [first] = ofService;
    if (!first || (await isServed(client, first.service))) continue;
    const affected = [...new Set(ofService.map(({ resource }) => resource))].join(', ');
    warnings.push(warning(configuration, affected, name));
  }
  return warnings;
}

/** Returns true also if the permissions of the user do not suffice to find out. */
async function isServed(client: Client, service: ServiceName): Promise<boolean> {
  const { name, namespace } = service;
  try {
    if (!(await find(client, Service, service))) return false;
    const labels = { 'kubernetes.io/service-name': name };
    const { items } = await client.list(EndpointSlice, { namespace, labelSelector: { matchLabels: labels } });
    // Consumers must interpret an unknown state as ready.
    return items.some(({ endpoints }) => endpoints?.some(({ conditions }) => conditions?.ready !== false) === true);
  } catch (error) {
    if (error instanceof ForbiddenError) return true;
    throw error;
  }
}

function warning(configuration: OperatorObject, resources: string, service: string): string {
  const { kind, object } = configuration;
  const { name, labels } = object.metadata;
  const operator = labels?.['app.kubernetes.io/name'] ?? '';
  return (
    `${describeObject(configuration)} rejects writes of ${resources}, because Service ${service} has no ready endpoints; ` +
    `if operator ${operator} was renamed or deleted, run kubectl delete ${kind.kind.toLowerCase()} ${name}`
  );
}

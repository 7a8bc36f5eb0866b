import type { UnstructuredObject } from '../../api/objects/kube-object.js';
import { deepEqual } from '../../base/deep-equal.js';
import type { Client } from '../../client/client.js';
import { reviewedResources, webhooksOf, type ConfiguredWebhook } from './configured-webhooks.js';
import { find } from './delete-and-wait.js';
import { describeObject, type OperatorObject } from './operator-objects.js';
import { printLine } from '../print-line.js';

/** A webhook configuration as it is generated, and as it is in the cluster, if it exists there. */
interface Configuration {
  readonly generated: OperatorObject;
  readonly present: UnstructuredObject | undefined;
}

/**
 * Removes webhooks from configurations in the cluster that the new release does not have, and keeps all others as they are.
 *
 * Must be called before the rollout: old pods serve the removed webhooks, but new pods may not, so that writes would fail
 * until the new configuration is applied. A webhook stays while the cluster lacks another one of the release for the same
 * resource: that one may replace it, and writes would not be reviewed in between.
 */
export async function removeObsoleteWebhooks(
  client: Client,
  configurations: readonly OperatorObject[],
  isDryRun: boolean,
): Promise<void> {
  const all = await Promise.all(
    configurations.map(async (generated) => ({
      generated,
      present: await find(client, generated.kind, generated.object.metadata),
    })),
  );
  for (const each of all) {
    const ofType = all.filter(({ generated }) => generated.kind === each.generated.kind);
    for (const webhook of obsoleteWebhooks(each, ofType)) await remove(client, each.generated, webhook.name, isDryRun);
  }
}

function obsoleteWebhooks(
  { generated, present }: Configuration,
  configurations: readonly Configuration[],
): ConfiguredWebhook[] {
  const kept = webhooksOf(generated.object);
  return webhooksOf(present).filter(
    (webhook) =>
      kept.some((each) => isOfSameService(each, webhook)) &&
      kept.every(({ name }) => name !== webhook.name) &&
      !isReplaced(webhook, configurations),
  );
}

/** A configuration may contain webhooks of other programs. */
function isOfSameService(a: ConfiguredWebhook, b: ConfiguredWebhook): boolean {
  const [{ service }, { service: other }] = [a.clientConfig, b.clientConfig];
  return service !== undefined && service.name === other?.name && service.namespace === other.namespace;
}

function isReplaced(webhook: ConfiguredWebhook, configurations: readonly Configuration[]): boolean {
  const reviewed = new Set(reviewedResources(webhook));
  return configurations.some(({ generated, present }) =>
    webhooksOf(generated.object).some(
      (each) =>
        reviewedResources(each).some((resource) => reviewed.has(resource)) &&
        !webhooksOf(present).some((other) => deepEqual(requestsOf(other), requestsOf(each))),
    ),
  );
}

/** The properties that decide which requests a webhook receives, and which methods review them. */
function requestsOf({ name, clientConfig, rules, ...conditions }: ConfiguredWebhook): object {
  const { matchConditions = [], namespaceSelector = {}, objectSelector = {} } = conditions;
  return { name, path: clientConfig.service?.path, rules, matchConditions, namespaceSelector, objectSelector };
}

async function remove(client: Client, configuration: OperatorObject, name: string, isDryRun: boolean): Promise<void> {
  const { kind, object } = configuration;
  const change = { webhooks: [{ $patch: 'delete', name }] };
  if (!isDryRun) await client.patch(kind, object.metadata.name, change, { type: 'strategic' });
  printLine(`${isDryRun ? 'would remove' : 'removed'} webhook ${name} from ${describeObject(configuration)}`);
}

import { resourceName, type KindRef } from '../api/kinds/kind-ref.js';
import type { UnstructuredObject } from '../api/objects/kube-object.js';
import { objectKey } from '../api/objects/object-key.js';
import { sleep, type Clock } from '../base/clock.js';
import type { Logger } from '../base/logger.js';
import { NotFoundError } from '../client/api-error.js';
import type { Client } from '../client/client.js';
import { finalizedKinds } from '../resource/kinds/finalized-kinds.js';
import type { ResourceModel } from '../resource/model.js';
import { countNoun } from './count-noun.js';

const POLL_MS = 1000;

/** The place of the objects to delete, and what a deletion uses. */
export interface DeletionOptions {
  /** Undefined or empty for all namespaces. */
  readonly namespaces: readonly string[] | undefined;
  readonly logger: Logger;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/**
 * Deletes all objects of the kinds with finalizers of the operators, also those that are created meanwhile, and
 * waits until none exists. The operators themselves must run elsewhere, and remove the finalizers.
 */
export async function deleteObjects(
  client: Client,
  models: readonly ResourceModel[],
  options: DeletionOptions,
): Promise<void> {
  const { logger, clock, signal } = options;
  const kinds = finalizedKinds(models);
  let logged = '';
  for (;;) {
    const left = (await Promise.all(kinds.map((kind) => deleteKind(client, kind, options)))).flat();
    const [first] = left;
    if (!first) break;
    const message = `Waiting for the deletion of ${countNoun(left.length, 'object')}, first ${first}`;
    if (message !== logged) logger.info(message);
    logged = message;
    await sleep(clock, POLL_MS, signal);
  }
  logger.info(`No object of ${kinds.map(resourceName).join(', ') || 'a kind with finalizers'} is left`);
}

/** Deletes the objects of a kind and describes those that existed. */
async function deleteKind(client: Client, kind: KindRef, { namespaces = [] }: DeletionOptions): Promise<string[]> {
  const isEverywhere = kind.scope === 'Cluster' || namespaces.length === 0;
  const places = isEverywhere ? [undefined] : namespaces;
  const lists = await Promise.all(places.map((namespace) => objectsIn(client, kind, namespace)));
  const objects = lists.flat();
  for (const { metadata } of objects)
    if (metadata.deletionTimestamp === undefined)
      await client.delete(kind, metadata.name, { namespace: metadata.namespace }).catch(ignoreNotFound);
  return objects.map((object) => {
    const { finalizers = [] } = object.metadata;
    const held = finalizers.length === 0 ? '' : ` with finalizers ${finalizers.join(', ')}`;
    return `${kind.kind} ${objectKey(object)}${held}`;
  });
}

async function objectsIn(client: Client, kind: KindRef, namespace?: string): Promise<UnstructuredObject[]> {
  try {
    return (await client.list(kind as KindRef<UnstructuredObject>, { namespace })).items;
  } catch (error) {
    ignoreNotFound(error);
    return [];
  }
}

function ignoreNotFound(error: unknown): void {
  if (!(error instanceof NotFoundError)) throw error;
}

import { keyOf } from '../../../api/objects/object-key.js';
import { whenAnswered } from '../../remote/remote-calls.js';
import { badRequest, expired } from '../../errors/status-error.js';
import type { JsonObject } from '../../objects/api-object.js';
import type { Registry } from '../../registry/registry.js';
import type { Resource } from '../../resources/resource.js';
import { decodeContinue, encodeContinue, NEWEST, type ContinueToken } from '../../storage/continue-token.js';
import { parseFieldQuery } from '../../storage/field-query.js';
import { parseLabelQuery } from '../../storage/label-query.js';
import type { StoredObject } from '../../storage/stored-object.js';
import type { Outcome } from '../../transport/response/outcome.js';
import { parseResourceVersion, type ListQuery } from '../request/query-options.js';

const CONTINUE_EXPIRED =
  'The provided continue parameter is too old to display a consistent list result. You can start a new list without ' +
  'the continue parameter, or use the continue token in this response to retrieve the remainder of the results. ' +
  'Continuing with the provided token results in an inconsistent list - objects that were created, modified, or ' +
  'deleted between the time the first chunk was returned and now may show up in the list.';

/** The objects of a resource that a request selects. */
export interface Selection {
  readonly namespace: string | undefined;
  /** Returns whether an object is selected, ignoring the namespace. */
  matches(stored: StoredObject): boolean;
  readonly hasSelector: boolean;
  /** True if the selector reads fields of custom resources, which may differ in the stored version. */
  readonly hasFields: boolean;
  /** The only key it can match, if the field selector contains the name. */
  readonly key: string | undefined;
}

export function selectionOf(
  resource: Resource,
  namespace: string | undefined,
  { labelSelector, fieldSelector }: ListQuery,
): Selection {
  const labels = labelSelector === '' ? undefined : parseLabelQuery(labelSelector);
  const fields = parseFieldQuery(fieldSelector, resource);
  const hasFields = resource.isCustom && !fields.isEmpty;
  const isPlaced = namespace !== undefined || !resource.namespaced;
  return {
    namespace: resource.namespaced ? namespace : undefined,
    hasSelector: labels !== undefined || !fields.isEmpty,
    hasFields,
    matches: ({ object }) =>
      (!labels || labels(object.metadata.labels)) &&
      fields.matches(hasFields ? resource.codec.fromStorage(object) : object),
    key:
      fields.name !== undefined && isPlaced
        ? keyOf(fields.name, resource.namespaced ? namespace : undefined)
        : undefined,
  };
}

/** One page of objects, or all. */
export async function list(
  registry: Registry,
  resource: Resource,
  selection: Selection,
  query: ListQuery,
): Promise<Outcome> {
  // With conversion webhooks, all candidates are converted in one call; objects created meanwhile one by one.
  if (selection.hasFields)
    await resource.codec.prepare?.([...presentIn(registry, resource, selection)].map(({ object }) => object));
  return whenAnswered(() => listed(registry, resource, selection, query));
}

function presentIn({ store }: Registry, { storage }: Resource, { namespace }: Selection): Iterable<StoredObject> {
  return store.collection(storage).range(namespace === undefined ? '' : `${namespace}/`);
}

function listed(registry: Registry, resource: Resource, selection: Selection, query: ListQuery): Outcome {
  const token = query.continueToken === '' ? undefined : decodeContinue(query.continueToken);
  const revision = revisionOf(registry, query, token);
  // The real server serves resourceVersion 0 from its cache, which ignores the limit.
  const limit = query.resourceVersion === '0' ? 0 : query.limit;
  const { items, remaining } = page(
    candidates(registry, resource, selection, revision, token?.after),
    selection,
    limit,
  );
  return { type: 'list', resource, items, metadata: listMeta(revision, items.at(-1), remaining, selection) };
}

/** Returns the first matching objects and the number of candidates after them, matching or not, as the real server. */
function page(
  candidates: Iterable<StoredObject>,
  selection: Selection,
  limit: number,
): { items: StoredObject[]; remaining: number } {
  const items: StoredObject[] = [];
  let remaining = 0;
  for (const stored of candidates) {
    if (limit > 0 && items.length === limit) remaining++;
    else if (selection.matches(stored)) items.push(stored);
  }
  return { items, remaining };
}

function revisionOf({ store }: Registry, query: ListQuery, token: ContinueToken | undefined): number {
  const { resourceVersion } = query;
  if (token) {
    if (resourceVersion !== '' && resourceVersion !== '0')
      throw badRequest('specifying resource version is not allowed when using continue');
    return token.revision < 0 ? store.revision : token.revision;
  }
  const wanted = parseResourceVersion(resourceVersion, 'invalid resource version: ');
  const isExact = query.match === 'Exact' || (query.limit > 0 && wanted > 0 && query.match === '');
  return isExact ? wanted : store.revision;
}

function listMeta(
  revision: number,
  last: StoredObject | undefined,
  remaining: number,
  selection: Selection,
): JsonObject {
  const metadata: JsonObject = { resourceVersion: String(revision) };
  if (remaining === 0 || !last) return metadata;
  metadata.continue = encodeContinue({ revision, after: last.key });
  if (!selection.hasSelector) metadata.remainingItemCount = remaining;
  return metadata;
}

function candidates(
  registry: Registry,
  resource: Resource,
  selection: Selection,
  revision: number,
  after = '',
): Iterable<StoredObject> {
  const collection = registry.store.collection(resource.storage);
  const prefix = selection.namespace === undefined ? '' : `${selection.namespace}/`;
  if (revision === registry.store.revision) {
    if (selection.key === undefined) return collection.range(prefix, after);
    const single = collection.objects.get(selection.key);
    return single && single.key > after ? [single] : [];
  }
  try {
    return registry.store.at(resource.storage, revision).filter(({ key }) => key.startsWith(prefix) && key > after);
  } catch {
    if (after === '') throw expired('The resourceVersion for the provided list is too old.');
    throw expired(CONTINUE_EXPIRED, encodeContinue({ revision: NEWEST, after }));
  }
}

import type { KindRef } from '../api/kinds/kind-ref.js';
import type { KubeObject } from '../api/objects/kube-object.js';
import * as builtInKinds from '../api/kinds/kinds.js';
import { OperatorError } from '../base/operator-error.js';
import { isExpectedKind, isExpectedVersion, isFilledString } from './assert-object.js';
import { collectionNamespace } from './object-path.js';

/** One page as the server sends it. */
export interface ListPage {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata?: { readonly resourceVersion?: string; readonly continue?: string };
  readonly items?: KubeObject[] | null;
}

/** Also accepts a value of a wrong type. */
const LIST_KIND = /List$/;

const BUILT_IN_GROUPS: ReadonlySet<string> = new Set(Object.values(builtInKinds).map(({ group }) => group));

/**
 * Rejects a response that is not a list of the kind, in the namespace if one is given: a proxy can return its own page
 * with status 200, or the list of another request, which must not be taken for the objects of the kind.
 *
 * The list kind of a custom resource is not known; that of a built-in kind is `<kind>List`. Some aggregated API servers
 * omit `kind`, so an array of items is enough. The items of built-in kinds have neither `kind` nor `apiVersion`.
 *
 * The message contains no value of an item but its type, because it can be a Secret.
 *
 * @throws OperatorError (E_RESPONSE)
 */
export function assertList(kind: KindRef, namespace: string | undefined, page: ListPage): void {
  assertListKind(kind, page);
  const inNamespace = collectionNamespace(kind, namespace);
  for (const item of page.items ?? []) assertItem(kind, inNamespace, item);
}

/**
 * Returns the resource version of a list.
 *
 * @throws OperatorError (E_RESPONSE) if it has none
 */
export function versionOfList(kind: KindRef, { metadata }: ListPage): string {
  const { resourceVersion = '' } = metadata ?? {};
  if (isFilledString(resourceVersion)) return resourceVersion;
  throw unexpected(kind, 'a list without resourceVersion');
}

function assertListKind(expected: KindRef, { kind, apiVersion, items }: ListPage): void {
  const isList = kind === undefined ? Array.isArray(items) : isListKind(expected, kind);
  if (!isList || !Array.isArray(items ?? [])) throw unexpected(expected, kind ?? 'an object without kind and items');
  if (!isExpectedVersion(expected, kind, apiVersion)) {
    throw unexpected(expected, `${kind ?? 'a list'} of ${shown(apiVersion)}`);
  }
}

function isListKind(expected: KindRef, kind: string): boolean {
  if (kind === 'PartialObjectMetadataList') return expected.part?.isMetadataOnly === true;
  return BUILT_IN_GROUPS.has(expected.group) ? kind === `${expected.kind}List` : LIST_KIND.test(kind);
}

function assertItem(expected: KindRef, namespace: string | undefined, item: Partial<KubeObject> | null): void {
  const { kind, apiVersion, metadata } = item ?? {};
  if (typeof metadata !== 'object' || (metadata as unknown) === null) {
    throw unexpected(expected, 'a list with an item without metadata');
  }
  if (kind !== undefined && !isExpectedKind(expected, kind)) {
    throw unexpected(expected, `a list with an item of kind ${shown(kind)}`);
  }
  if (!isExpectedVersion(expected, kind, apiVersion)) {
    throw unexpected(expected, `a list with an item of apiVersion ${shown(apiVersion)}`);
  }
  if (namespace !== undefined && metadata.namespace !== namespace) {
    throw unexpected(expected, 'a list with an item of another namespace');
  }
}

function shown(value: unknown): string {
  return typeof value === 'string' ? value.slice(0, 100) : typeof value;
}

function unexpected({ plural }: KindRef, received: string): OperatorError {
  return new OperatorError(`expected a list of ${plural} from the API server, received ${received}`, {
    code: 'E_RESPONSE',
    hint: 'check for a proxy between this program and the API server',
  });
}

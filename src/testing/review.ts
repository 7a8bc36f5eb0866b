import type { AdmissionRequest } from '../api/protocol/admission-review.js';
import { apiVersionOf, type KindRef } from '../api/kinds/kind-ref.js';
import type { KubeObject, ObjectMeta } from '../api/objects/kube-object.js';
import { objectFilter } from '../api/selection/object-filter.js';
import type { Status } from '../api/protocol/status.js';
import type { DesiredOf, StoredOf } from '../api/objects/stored-object.js';
import { jsonPatch } from '../apiserver/patch/json-patch.js';
import type { JsonObject } from '../base/json-object.js';
import { parseJson } from '../base/json.js';
import { silentLogger } from '../base/logger.js';
import { OperatorError } from '../base/operator-error.js';
import type { CustomResource } from '../resource/custom-resource.js';
import type { InjectionToken } from '../resource/decorators/inject.js';
import { dehydrate } from '../base/dehydrate.js';
import { buildResourceModels } from '../resource/build-models.js';
import type { ResourceModel } from '../resource/model.js';
import { ProvidedValues } from '../resource/provided-values.js';
import type { PatchOperation } from '../webhook/json-patch-between.js';
import type { ReviewReader } from '../webhook/review-reader.js';
import { reviewRequest } from '../webhook/review-request.js';

/** A write to review; `object` is required except for DELETE. */
export interface ReviewInput<T extends KubeObject> {
  readonly object?: DesiredOf<T>;
  /** The stored object; required for UPDATE and DELETE. */
  readonly old?: DesiredOf<T>;
  /** Default: UPDATE with an old object, otherwise CREATE. */
  readonly operation?: 'CREATE' | 'UPDATE' | 'DELETE';
  /** Default: the user `test`. */
  readonly user?: AdmissionRequest['userInfo'];
  readonly dryRun?: boolean;
  /** The objects of all kinds that `review.get` and `review.list` find, each with apiVersion and kind. Default none. */
  readonly objects?: readonly KubeObject[];
  /** The values of `@Inject` properties. */
  readonly provide?: readonly (readonly [token: InjectionToken, value: unknown])[];
}

/** The verdict of the methods of a class on a write. */
export interface ReviewOutcome<T extends KubeObject> {
  readonly allowed: boolean;
  /** The object as it would be stored; for DELETE the deleted one. */
  readonly object: StoredOf<T>;
  /** The message of a rejection. */
  readonly message: string | undefined;
  /** The refused fields. */
  readonly causes: readonly { readonly field: string; readonly message: string }[];
  readonly warnings: readonly string[];
  /** The changes of all `@Mutate` methods as a JSON patch. */
  readonly patch: readonly PatchOperation[];
}

type Mutable<T> = { -readonly [P in keyof T]: T[P] };

/**
 * Runs the `@Mutate` methods and then the `@Validate` methods of a class on a write, without a server.
 *
 * Each `@Mutate` method is called twice. Neither the schema nor the options `match`, `namespaceSelector` and
 * `objectSelector` are applied: the API server does that.
 * @throws the error of a method, with its name; OperatorError when a `@Mutate` method is not idempotent.
 *
 * @example
 * const { allowed, causes } = await review(PodSet, { object: { metadata: { name: 'a' }, spec: { size: 99 } } });
 */
export function review<T extends CustomResource>(
  target: abstract new () => T,
  input: ReviewInput<T>,
): Promise<ReviewOutcome<T>>;
/**
 * Runs the methods of a class with `@Admission` on a write of its kind.
 *
 * @example
 * const { object } = await review<Pod>(TeamPods, { object: { metadata: { name: 'a' }, spec: { containers: [] } } });
 */
export function review<T extends KubeObject>(
  target: abstract new () => object,
  input: ReviewInput<T>,
): Promise<ReviewOutcome<T>>;
export async function review<T extends KubeObject>(
  target: abstract new () => object,
  input: ReviewInput<T>,
): Promise<ReviewOutcome<T>> {
  const [model] = buildResourceModels([target]) as [ResourceModel];
  const provided = new ProvidedValues();
  for (const [token, value] of input.provide ?? []) provided.provide(token, value);
  const request = requestOf(model, input);
  const services = {
    reader: readerOf(input.objects ?? []),
    log: silentLogger,
    deadline: new AbortController(),
    isStrict: true,
    repeatMutations: true,
  };
  const warnings: string[] = [];
  const patch: PatchOperation[] = [];
  let object = (request.object ?? request.oldObject) as JsonObject;
  for (const webhook of model.webhooks) {
    const response = await reviewRequest({ model, webhook, provided }, request, services);
    warnings.push(...(response.warnings ?? []));
    if (!response.allowed) return outcome(object, response.status, warnings, patch);
    const operations = operationsOf(response.patch);
    if (operations.length === 0) continue;
    patch.push(...operations);
    request.object = object = jsonPatch(object, operations) as JsonObject;
  }
  return outcome(object, undefined, warnings, patch);
}

function requestOf<T extends KubeObject>(model: ResourceModel, input: ReviewInput<T>): Mutable<AdmissionRequest> {
  const { kind } = model;
  const { object, old } = input;
  const operation = input.operation ?? (old ? 'UPDATE' : 'CREATE');
  assertComplete(model, operation, input);
  const isDeletion = operation === 'DELETE';
  const address = addressOf(kind, (isDeletion ? old : object)?.metadata ?? {});
  const { group, version, plural } = kind;
  return {
    uid: '00000000-0000-0000-0000-000000000000',
    kind: { group, version, kind: kind.kind },
    resource: { group, version, resource: plural },
    ...address,
    operation,
    userInfo: input.user ?? { username: 'test' },
    object: isDeletion ? null : jsonOf(kind, object),
    oldObject: jsonOf(kind, old),
    dryRun: input.dryRun === true,
    options: null,
  };
}

function addressOf({ scope }: KindRef, { name = '', namespace = 'default' }: Partial<ObjectMeta>) {
  return { name, namespace: scope === 'Cluster' ? '' : namespace };
}

function assertComplete<T extends KubeObject>(
  { className }: ResourceModel,
  operation: AdmissionRequest['operation'],
  input: ReviewInput<T>,
): void {
  const needed = NEEDED[operation] ?? [];
  const missing = needed.filter((name) => input[name] === undefined);
  if (missing.length === 0) return;
  throw new OperatorError(`a review of ${operation} of ${className} needs ${missing.join(' and ')}`, {
    code: 'E_REVIEW',
    hint: 'pass object for CREATE, object and old for UPDATE, old for DELETE',
  });
}

const NEEDED: Readonly<Partial<Record<string, readonly ('object' | 'old')[]>>> = {
  CREATE: ['object'],
  UPDATE: ['object', 'old'],
  DELETE: ['old'],
};

function jsonOf(kind: KindRef, value: object | undefined): JsonObject | null {
  if (value === undefined) return null;
  return { apiVersion: apiVersionOf(kind), kind: kind.kind, ...(dehydrate(value, kind.kind) as JsonObject) };
}

function readerOf(objects: readonly KubeObject[]): ReviewReader {
  const ofKind = (kind: KindRef): KubeObject[] =>
    objects.filter((each) => each.apiVersion === apiVersionOf(kind) && each.kind === kind.kind);
  const isIn = ({ metadata }: KubeObject, namespace: string | undefined): boolean =>
    namespace === undefined || (metadata.namespace ?? 'default') === namespace;
  return {
    get: (kind, name, namespace) =>
      Promise.resolve(ofKind(kind).find((each) => each.metadata.name === name && isIn(each, namespace))),
    list: (kind, { namespace, ...rest }) => {
      const filter = objectFilter(kind, rest);
      return Promise.resolve(ofKind(kind).filter((each) => isIn(each, namespace) && filter(each)));
    },
  };
}

function operationsOf(patch: string | undefined): PatchOperation[] {
  return patch === undefined ? [] : (parseJson(Buffer.from(patch, 'base64').toString()) as PatchOperation[]);
}

function outcome<T extends KubeObject>(
  object: JsonObject,
  status: Partial<Status> | undefined,
  warnings: readonly string[],
  patch: readonly PatchOperation[],
): ReviewOutcome<T> {
  const causes = status?.details?.causes ?? [];
  return {
    allowed: status === undefined,
    object: object as unknown as StoredOf<T>,
    message: status?.message,
    causes: causes.map(({ field = '', message = '' }) => ({ field, message })),
    warnings,
    patch,
  };
}

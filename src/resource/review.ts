import type { AdmissionRequest } from '../api/protocol/admission-review.js';
import type { KindLike, ObjectOf } from '../api/kinds/kind-ref.js';
import type { KubeObject, ReadonlyDeep } from '../api/objects/kube-object.js';
import type { Logger } from '../base/logger.js';
import type { GetOptions, ListOptions } from './context.js';

/**
 * One write that `@Mutate` and `@Validate` methods review before the API server stores it. A class, so that decorated
 * methods can use it as a parameter type.
 *
 * It has no methods that write: a review may be repeated, discarded, or a dry run. Reads of the class's own kind and of
 * kinds named in `@Owns` and `@Watches` come from the cache and wait until it has synced; reads of other kinds are
 * requests to the server, which need `@Rbac`. Objects that are read are shared and frozen. Reads reject with the signal's reason once
 * the time of the review is over.
 */
// eslint-disable-next-line @typescript-eslint/no-unnecessary-type-parameters -- the type of `old`, as callers write it
export abstract class Review<T extends KubeObject = KubeObject> {
  abstract readonly operation: AdmissionRequest['operation'];
  /** The stored object, before the write; undefined for CREATE. For DELETE it equals `this`. */
  abstract readonly old: T | undefined;
  /** The user of the request. */
  abstract readonly user: AdmissionRequest['userInfo'];
  /** True if nothing will be stored. */
  abstract readonly dryRun: boolean;
  /** `status` or `scale`; undefined for a write of the object itself. */
  abstract readonly subresource: string | undefined;
  /** Undefined for cluster-scoped kinds. */
  abstract readonly namespace: string | undefined;
  /** Undefined if the API server will generate the name. */
  abstract readonly name: string | undefined;
  /** The request as the API server sent it. */
  abstract readonly request: AdmissionRequest;
  /** Aborted 200 ms before the API server's timeout. */
  abstract readonly signal: AbortSignal;
  /** Adds webhook, namespace, name and the uid of the request to each line. */
  abstract readonly log: Logger;

  /** Returns the object, or undefined when it does not exist. The namespace defaults to that of the reviewed object. */
  abstract get<K extends KindLike>(
    kind: K,
    name: string,
    options?: GetOptions,
  ): Promise<ReadonlyDeep<ObjectOf<K>> | undefined>;

  /** Returns the objects that match all options, sorted by namespace and name. */
  abstract list<K extends KindLike, const P extends string = never, const Q extends string = never>(
    kind: K,
    options?: ListOptions<ObjectOf<K>, P, Q>,
  ): Promise<ReadonlyDeep<ObjectOf<K>>[]>;

  /**
   * Rejects the write because of a field, such as `spec.size` or `spec.ports[0].name`. The user sees all rejections of
   * all methods together, as for a violation of the schema (code 422, one cause each). The method continues.
   */
  abstract invalid(field: string, message: string): void;

  /** Rejects the write because this user is not permitted to make it (code 403). Takes precedence over `invalid`. */
  abstract forbidden(message: string): void;

  /** Shows a warning to the user. Lines become separate warnings; each is cut after 256 characters. */
  abstract warn(message: string): void;

  /**
   * Adds an annotation to the audit event of the request; the API server prefixes the key with the webhook's name.
   *
   * @throws OperatorError for a key that is not 1 to 63 letters, digits, dots, dashes and underscores.
   */
  abstract audit(key: string, value: string): void;
}

import type { AdmissionRequest } from '../api/protocol/admission-review.js';
import { toKindRef, type KindLike, type KindRef, type ObjectOf } from '../api/kinds/kind-ref.js';
import type { KubeObject, ReadonlyDeep } from '../api/objects/kube-object.js';
import { allReadOnly, readOnly } from '../cache/read-only.js';
import type { Logger } from '../base/logger.js';
import { renamedError } from '../base/renamed.js';
import type { GetOptions, ListOptions } from '../resource/context.js';
import { listerOptions } from '../resource/lister-options.js';
import { Review } from '../resource/review.js';
import type { ReviewReader } from './review-reader.js';
import { Verdict } from './verdict.js';

/** The services that a review uses. */
export interface ReviewServices {
  readonly reader: ReviewReader;
  readonly log: Logger;
  /** The signal is created when it is first read. */
  readonly deadline: { readonly signal: AbortSignal };
  /** Report changes by validating methods, which are not stored; costs two copies of the object. */
  readonly isStrict: boolean;
  /** Call each mutating method again on the result, and reject if it changes anything. */
  readonly repeatMutations?: boolean;
}

/** The review of one request. */
export class LiveReview extends Review {
  override readonly operation: AdmissionRequest['operation'];
  override readonly user: AdmissionRequest['userInfo'];
  override readonly dryRun: boolean;
  override readonly subresource: string | undefined;
  override readonly namespace: string | undefined;
  override readonly name: string | undefined;
  private lines: Logger | undefined;

  constructor(
    override readonly request: AdmissionRequest,
    override readonly old: KubeObject | undefined,
    private readonly verdict: Verdict,
    private readonly services: ReviewServices,
    /** The path of the webhook. */
    private readonly webhook: string,
  ) {
    super();
    const { operation, userInfo, dryRun = false, subResource = '', namespace = '', name = '' } = request;
    this.operation = operation;
    this.user = userInfo;
    this.dryRun = dryRun;
    this.subresource = subResource || undefined;
    this.namespace = namespace || undefined;
    this.name = name || undefined;
  }

  override get signal(): AbortSignal {
    return this.services.deadline.signal;
  }

  /** The same review with a verdict that is discarded. */
  repeated(): LiveReview {
    return new LiveReview(this.request, this.old, new Verdict(), this.services, this.webhook);
  }

  override get log(): Logger {
    const { webhook, namespace, name, request } = this;
    // Created on first use, because most reviews log nothing.
    this.lines ??= this.services.log.child({ webhook, namespace, name, uid: request.uid });
    return this.lines;
  }

  override async get<K extends KindLike>(
    kind: K,
    name: string,
    options: GetOptions = {},
  ): Promise<ReadonlyDeep<ObjectOf<K>> | undefined> {
    const ref = toKindRef<KubeObject>(kind);
    const found = await this.services.reader.get(ref, name, this.namespaceFor(ref, options), this.signal);
    return found && (readOnly(found) as ReadonlyDeep<ObjectOf<K>>);
  }

  override async list<K extends KindLike, const P extends string = never, const Q extends string = never>(
    kind: K,
    options: ListOptions<ObjectOf<K>, P, Q> = {},
  ): Promise<ReadonlyDeep<ObjectOf<K>>[]> {
    const ref = toKindRef<KubeObject>(kind);
    const query = listerOptions(options, this.namespaceFor(ref, options));
    const found = await this.services.reader.list(ref, query, this.signal);
    return (await allReadOnly(found)) as ReadonlyDeep<ObjectOf<K>>[];
  }

  override invalid(field: string, message: string): void {
    this.verdict.invalid(field, message);
  }

  override forbidden(message: string): void {
    this.verdict.forbidden(message);
  }

  refuse(): never {
    throw renamedError('review.refuse', 'review.invalid(field, message)');
  }

  forbid(): never {
    throw renamedError('review.forbid', 'review.forbidden(message)');
  }

  override warn(message: string): void {
    this.verdict.warn(message);
  }

  override audit(key: string, value: string): void {
    this.verdict.audit(key, value);
  }

  private namespaceFor(kind: KindRef, { namespace = this.namespace }: GetOptions): string | undefined {
    return kind.scope === 'Cluster' ? undefined : namespace || undefined;
  }
}

import { randomNumber } from '../../base/random.js';
import type { KindRef } from '../../api/kinds/kind-ref.js';
import { generatedName } from '../../api/objects/generated-name.js';
import type { Desired, KubeObject, ReadonlyDeep } from '../../api/objects/kube-object.js';
import { AlreadyExistsError } from '../../client/api-error.js';
import type { CachedKinds } from '../read/cached-kinds.js';
import { assertNoOtherController, childObject, isOwnedBy, type Ownership } from './child-ownership.js';
import type { ObjectWriter } from './object-writer.js';
import type { OwnerCheck } from './owner-check.js';
import { OwnerVersion } from './owner-version.js';
import { readLive } from '../read/read-live.js';
import type { ReconcileClient } from '../run/reconcile-client.js';
import type { ReconcileRequest } from '../run/reconcile-request.js';

/** The number of names that the API server tries for `metadata.generateName`. */
const NAME_ATTEMPTS = 8;

/**
 * Creates objects and never changes existing ones.
 *
 * Names for `metadata.generateName` are generated here as the API server does, so that an object can be read after the
 * response to its creation was lost.
 *
 * Flow: an object in the cache that the reconciled object already owns is returned without a request; otherwise the
 * object is created; if the name is taken, the existing object is returned when the reconciled object owns it. Its owner
 * reference gets the version of the class.
 * Guarantees: of several processes that create the same name at the same time, one succeeds and all return its object.
 * Errors: AlreadyOwnedError when another controller owns the existing object, AlreadyExistsError when none of ours does.
 */
export class ChildCreator {
  readonly ownerVersion: OwnerVersion;

  constructor(
    private readonly ownerKind: KindRef,
    private readonly client: ReconcileClient,
    private readonly caches: CachedKinds,
    private readonly writer: ObjectWriter,
    private readonly ownerCheck: OwnerCheck,
    private readonly random: () => number = () => randomNumber('generated name'),
  ) {
    this.ownerVersion = new OwnerVersion(ownerKind, writer, caches);
  }

  async create(
    request: ReconcileRequest,
    kind: KindRef,
    given: Desired<KubeObject>,
    ownership: Ownership,
  ): Promise<ReadonlyDeep<KubeObject>> {
    const child = childObject(kind, given, this.ownerKind, ownership);
    const isGenerated = !child.metadata.name && child.metadata.generateName;
    return isGenerated
      ? this.createGenerated(request, kind, child, ownership)
      : this.createNamed(request, kind, child, ownership);
  }

  private async createNamed(
    request: ReconcileRequest,
    kind: KindRef,
    child: Desired<KubeObject>,
    ownership: Ownership,
  ): Promise<ReadonlyDeep<KubeObject>> {
    const { name, namespace } = child.metadata;
    const cached = this.cached(request, kind, child.metadata);
    if (cached && isOwnedBy(cached, ownership.owner)) {
      request.throwIfAborted();
      request.run?.skipped('create', kind, cached);
      return this.ownerVersion.update(request, kind, cached, ownership.owner);
    }
    try {
      return await this.send(request, kind, child, ownership);
    } catch (error) {
      if (!(error instanceof AlreadyExistsError) || name === undefined) throw error;
      const existing = await this.existing(request, kind, name, namespace);
      if (!existing) throw error;
      if (isOwnedBy(existing, ownership.owner))
        return await this.ownerVersion.update(request, kind, existing, ownership.owner);
      if (ownership.isOwned) assertNoOtherController(kind, existing, ownership.owner);
      throw error;
    }
  }

  /** Each call creates an object, so a name that is taken is replaced by another. */
  private async createGenerated(
    request: ReconcileRequest,
    kind: KindRef,
    child: Desired<KubeObject>,
    ownership: Ownership,
  ): Promise<KubeObject> {
    for (let attempt = 1; ; attempt++) {
      const name = generatedName(child.metadata.generateName ?? '', this.random);
      try {
        return await this.send(request, kind, { ...child, metadata: { ...child.metadata, name } }, ownership);
      } catch (error) {
        if (!(error instanceof AlreadyExistsError) || attempt === NAME_ATTEMPTS) throw error;
      }
    }
  }

  private send(
    request: ReconcileRequest,
    kind: KindRef,
    child: Desired<KubeObject>,
    ownership: Ownership,
  ): Promise<KubeObject> {
    return this.ownerCheck.write(request, ownership, undefined, () => this.writer.create(request, kind, child));
  }

  private cached(
    { key }: ReconcileRequest,
    kind: KindRef,
    { name, namespace }: Desired<KubeObject>['metadata'],
  ): ReadonlyDeep<KubeObject> | undefined {
    if (name === undefined) return undefined;
    return this.caches.listerFor(key, kind, namespace, name)?.get(name, namespace);
  }

  /** The existing object, which the cache holds from then on. */
  private async existing(
    request: ReconcileRequest,
    kind: KindRef,
    name: string,
    namespace: string | undefined,
  ): Promise<KubeObject | undefined> {
    const live = await readLive(this.client.for(request), kind, name, { namespace });
    if (live) this.caches.observe(kind, live);
    return live;
  }
}

import { heldPart } from '../../api/kinds/kind-part.js';
import type { KindRef } from '../../api/kinds/kind-ref.js';
import type { KubeObject, ReadonlyDeep } from '../../api/objects/kube-object.js';
import { deepClone } from '../../base/deep-clone.js';
import { deepEqual } from '../../base/deep-equal.js';
import { dehydrate } from '../../base/dehydrate.js';
import { ConflictError } from '../../client/api-error.js';
import type { CachedKinds } from '../read/cached-kinds.js';
import type { ReconcileRequest } from '../run/reconcile-request.js';
import type { ObjectWriter } from './object-writer.js';
import { PartPatches } from './part-patches.js';

const UPDATE_ATTEMPTS = 5;
/** In place of a patch: the whole object is replaced. */
const WHOLE = Object.freeze({});

type State = ReadonlyDeep<KubeObject>;

export interface UpdateCall {
  /** Changes a copy of the object. Called again after a conflict. */
  readonly change: (draft: KubeObject) => void;
  /** Reads the object from the server. */
  readonly read: () => Promise<KubeObject | undefined>;
}

/**
 * Changes an object that was read before: by a PUT, or by one patch if only a part of its fields was read.
 *
 * Guarantees: nothing is sent if nothing changes; a write applies only to the state that was changed; after a conflict, the
 * state of the server is changed instead; fields outside of the part are not lost.
 */
export class ObjectUpdater {
  private readonly patches = new PartPatches();

  constructor(
    private readonly caches: Pick<CachedKinds, 'holdsFieldsOnly'>,
    private readonly writer: Pick<ObjectWriter, 'update' | 'patch'>,
  ) {}

  async update(request: ReconcileRequest, kind: KindRef, object: State, call: UpdateCall): Promise<KubeObject> {
    let isWhole = !this.caches.holdsFieldsOnly(kind);
    // As JSON, as after a conflict: the object may be an instance of the class.
    let latest = dehydrate(object, kind.kind) as State;
    for (let attempt = 1; ; attempt++) {
      request.throwIfAborted();
      const changed = changedCopy(kind, latest, call);
      if (deepEqual(changed, latest)) {
        request.run?.skipped('update', kind, latest);
        return changed;
      }
      const patch = isWhole ? WHOLE : this.patches.create(kind, latest, changed);
      if (!patch) {
        // A PUT of a part would remove all other fields, so the object of the server is changed instead.
        latest = await wholeObject(latest, call);
        isWhole = true;
        continue;
      }
      try {
        return deepClone(await this.write(request, kind, changed, patch));
      } catch (error) {
        if (attempt === UPDATE_ATTEMPTS) throw error;
        if (this.patches.isForbidden(kind, error, request.log)) continue;
        const live = await stateAfter(error, latest, call);
        latest = isWhole ? live : heldPart(kind, live);
      }
    }
  }

  private write(request: ReconcileRequest, kind: KindRef, changed: KubeObject, patch: object): Promise<KubeObject> {
    const { name, namespace } = changed.metadata;
    return patch === WHOLE
      ? this.writer.update(request, kind, changed)
      : this.writer.patch(request, kind, name, patch, { namespace });
  }
}

function changedCopy(kind: KindRef, object: State, { change }: UpdateCall): KubeObject {
  const draft = deepClone(object) as KubeObject;
  change(draft);
  return dehydrate(draft, kind.kind) as KubeObject;
}

/** Returns the whole object of a part; the part itself if the object is deleted, so that the server rejects its PUT. */
async function wholeObject(part: State, { read }: UpdateCall): Promise<State> {
  const whole = await read();
  return whole?.metadata.uid === part.metadata.uid ? (whole ?? part) : part;
}

async function stateAfter(error: unknown, { metadata }: State, { read }: UpdateCall): Promise<KubeObject> {
  if (!(error instanceof ConflictError)) throw error;
  const live = await read();
  if (!live || live.metadata.uid !== metadata.uid) throw error;
  return live;
}

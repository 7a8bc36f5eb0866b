import type { KubeObject } from '../../api/objects/kube-object.js';
import { isJsonObject } from '../../apiserver/objects/api-object.js';
import type { Administrator } from '../world/administrator.js';
import type { RunningPlan } from '../world/running-plan.js';
import type { WorldEvent } from '../world/world-event.js';
import type { Fault, Lasting } from './fault.js';

const HOUR_MS = 3_600_000;
const FINALIZER = 'rival.example/hold';
/** Attempts to create an object again while the former one is still being deleted. */
const ATTEMPTS = 60;
const RETRY_MS = 1000;

const deleteChild: Fault = {
  name: 'delete-child',
  words: 'somebody deletes an object of the operator',
  points: ['committed', 'delivered', 'reconcile ends', 'answered'],
  variants: [{ propagation: 'Background' }, { propagation: 'Foreground' }, { propagation: 'Orphan' }],
  begin: (run, event, { propagation = 'Background' }) => {
    const text = targetOf(run, event);
    if (text !== undefined) void run.rival('delete-child').delete(text, String(propagation));
    return undefined;
  },
};

const edit: Fault = {
  name: 'edit',
  words: 'somebody edits an object of the operator',
  points: ['committed', 'delivered', 'answered', 'reconcile ends'],
  variants: [{ what: 'field' }, { what: 'own' }, { what: 'label' }, { what: 'owner' }, { what: 'finalizer' }],
  begin: (run, event, { what = 'field' }) => {
    const text = targetOf(run, event);
    const found = text === undefined ? undefined : run.world.find(text);
    if (text === undefined || !found) return undefined;
    if (what === 'finalizer') return held(run, text, HOUR_MS);
    const patch = editOf(found.object, String(what));
    if (patch) void run.rival('edit').patch(text, patch);
    return undefined;
  },
};

const holding: Fault = {
  name: 'held',
  words: 'a foreign finalizer keeps an object for an hour after its deletion',
  points: ['committed', 'delivered', 'reconcile ends'],
  variants: [{ forMs: HOUR_MS }],
  begin: (run, event, { forMs = HOUR_MS }) => {
    const text = targetOf(run, event);
    return text === undefined ? undefined : held(run, text, Number(forMs));
  },
};

const recreate: Fault = {
  name: 'recreate',
  words: 'the user deletes an object and creates it again with the same name',
  points: ['delivered', 'reconcile begins', 'committed'],
  variants: [{}],
  begin: (run, event) => {
    const object = ownerObject(run, event);
    if (!object) return undefined;
    const { apiVersion, kind, metadata, ...rest } = object as KubeObject & { readonly status?: unknown };
    const { status: _status, ...content } = rest;
    const { name, namespace, labels, annotations } = metadata;
    const again = { apiVersion, kind, metadata: { name, namespace, labels, annotations }, ...content } as KubeObject;
    const user = run.rival('recreate');
    let isOver = false;
    const create = async (): Promise<void> => {
      await user.delete(run.world.textOf(run.world.placeOf(object)));
      for (let left = ATTEMPTS; left > 0; left--) {
        const { status } = await user.create(again);
        if (status !== 409) break;
        await run.wait(RETRY_MS);
      }
      isOver = true;
    };
    run.begin(create);
    return { isOver: () => isOver, end: () => undefined };
  },
};

const deleteMid: Fault = {
  name: 'delete-mid',
  words: 'the user deletes the object while it is reconciled',
  points: ['reconcile begins', 'sent', 'committed'],
  variants: [{ propagation: 'Background' }, { propagation: 'Foreground' }, { propagation: 'Orphan' }],
  begin: (run, event, { propagation = 'Background' }) => {
    const object = ownerObject(run, event);
    if (object) void run.rival('delete-mid').delete(run.world.textOf(run.world.placeOf(object)), String(propagation));
    return undefined;
  },
};

const foreign: Fault = {
  name: 'foreign',
  words: 'an object with the name of a child exists already; it belongs to somebody else, or has no owner',
  points: ['sent'],
  variants: [{ owner: 'none' }, { owner: 'rival' }],
  begin: (run, { exchange }, { owner = 'none' }) => {
    const { body, object } = exchange?.record ?? {};
    if (!exchange || body === undefined || !object) return undefined;
    const { name = '*' } = object;
    if (name.endsWith('*') || run.world.find(run.world.textOf(object))) return undefined;
    const release = exchange.keep();
    const rival = run.rival('foreign');
    run.begin(async () => {
      await createForeign(rival, { ...object, name }, { body, isOwned: owner === 'rival' });
      release();
    });
    return undefined;
  },
};

/** Creates an object like that of a request, without an owner, or with one of another operator. */
async function createForeign(
  rival: Administrator,
  { name, namespace }: { readonly name: string; readonly namespace?: string | undefined },
  { body, isOwned }: { readonly body: string; readonly isOwned: boolean },
): Promise<void> {
  const { metadata, ...rest } = JSON.parse(body) as KubeObject;
  const place = { name, ...(namespace !== undefined && { namespace }) };
  const labels = { ...metadata.labels, 'rival.example/owned': 'true' };
  const references = isOwned ? { ownerReferences: [await createOwner(rival, namespace)] } : {};
  await rival.create({ ...rest, metadata: { ...place, labels, ...references } } as KubeObject);
}

async function createOwner(rival: Administrator, namespace = 'default') {
  const ref = { apiVersion: 'v1', kind: 'ConfigMap' };
  const { body } = await rival.create({ ...ref, metadata: { name: 'rival', namespace } });
  return { ...ref, name: 'rival', uid: (body as KubeObject | undefined)?.metadata.uid, controller: true };
}

const namespace: Fault = {
  name: 'namespace',
  words: 'the namespace of the object is deleted',
  points: ['reconcile begins', 'committed'],
  variants: [{}],
  begin: (run, event) => {
    const object = ownerObject(run, event);
    const name = object?.metadata.namespace;
    if (name !== undefined) void run.rival('namespace').delete(`Namespace ${name}`);
    return undefined;
  },
};

export const USER_FAULTS: readonly Fault[] = [deleteChild, edit, recreate, deleteMid, foreign, holding, namespace];

/** The object that the event is about, by its full name. */
function targetOf({ world }: RunningPlan, { commits, place, exchange }: WorldEvent): string | undefined {
  const [commit] = commits ?? [];
  const object = place ?? commit?.object ?? exchange?.record.object;
  return object?.name === undefined ? undefined : world.textOf({ ...object, name: object.name });
}

/** The custom resource that is reconciled, or the one that the event is about. */
function ownerObject(run: RunningPlan, event: WorldEvent): KubeObject | undefined {
  const { world } = run;
  const { reconcile } = event.request?.actor ?? {};
  const reconciled = reconcile === undefined ? undefined : world.recorder.reconciles[reconcile]?.object;
  const text = reconciled ? world.textOf(reconciled) : targetOf(run, event);
  return text === undefined ? undefined : world.find(text)?.object;
}

function held(run: RunningPlan, text: string, forMs: number): Lasting | undefined {
  const { world } = run;
  const finalizers = world.find(text)?.object.metadata.finalizers;
  if (!finalizers) {
    if (!world.find(text)) return undefined;
  }
  const rival = run.rival('held');
  const endMs = world.at + forMs;
  let isOver = false;
  run.begin(async () => {
    await rival.patch(text, { metadata: { finalizers: [...(finalizers ?? []), FINALIZER] } });
  });
  const release = (): void => {
    if (isOver) return;
    isOver = true;
    const left = (world.find(text)?.object.metadata.finalizers ?? []).filter((each) => each !== FINALIZER);
    run.begin(async () => {
      await rival.patch(text, { metadata: { finalizers: left } });
    });
  };
  run.after(forMs, release);
  return { isOver: () => isOver || world.at >= endMs, end: release };
}

/** Returns a merge patch that edits an object. */
function editOf(object: KubeObject, what: string): object | undefined {
  const { labels, ownerReferences } = object.metadata;
  if (what === 'own') return { metadata: { annotations: { 'rival.example/note': 'edited' } } };
  if (what === 'owner') return ownerReferences && { metadata: { ownerReferences: null } };
  const [label] = Object.keys(labels ?? {});
  if (what === 'label') return label === undefined ? undefined : { metadata: { labels: { [label]: null } } };
  for (const part of ['spec', 'data', 'stringData', 'rules']) {
    const value = (object as unknown as Record<string, unknown>)[part];
    const changed = changedLeaf(value);
    if (changed !== undefined) return { [part]: changed };
  }
  return undefined;
}

/** Returns the path to the first number or text, with another value. */
function changedLeaf(value: unknown): unknown {
  if (typeof value === 'number') return value + 1;
  if (typeof value === 'string') return Buffer.from('edited').toString('base64');
  if (!isJsonObject(value)) return undefined;
  for (const [key, member] of Object.entries(value)) {
    const changed = changedLeaf(member);
    if (changed !== undefined) return { [key]: changed };
  }
  return undefined;
}

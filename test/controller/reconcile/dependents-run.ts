import type { KindRef } from '../../../src/api/kinds/kind-ref.js';
import type { KubeObject } from '../../../src/api/objects/kube-object.js';
import { Dependents } from '../../../src/controller/reconcile/dependents.js';
import { LiveContext } from '../../../src/controller/context/live-context.js';
import type { ResourceModel } from '../../../src/resource/model.js';
import { createInstance } from '../../../src/resource/instances/reconciled-instance.js';
import { ControllerParts } from '../gizmo.js';

const owner: KubeObject = {
  apiVersion: 'test.kindwright.dev/v1',
  kind: 'Gizmo',
  metadata: { name: 'a', namespace: 'team', uid: 'uid-a', resourceVersion: '1', generation: 3 },
};
const controller = { apiVersion: owner.apiVersion ?? '', kind: 'Gizmo', name: 'a', uid: 'uid-a', controller: true };

/** An object that a `@Dependent` method of an owner has returned. */
export function owned(kind: KindRef, name: string, method: string, ownerUid = 'uid-a'): readonly [KindRef, KubeObject] {
  const metadata = { name, namespace: 'team', uid: `uid-${name}`, resourceVersion: '1' };
  const annotations = { 'kindwright.dev/dependent': method };
  const ownerReferences = [{ ...controller, uid: ownerUid }];
  return [kind, { apiVersion: 'v1', kind: kind.kind, metadata: { ...metadata, annotations, ownerReferences } }];
}

/** The kinds that are not served. */
export const absentKinds = new Set<string>();
const isServed = ({ kind }: KindRef): boolean => !absentKinds.has(kind);

/** The dependents of a class of the kind Gizmo, and a reconcile of one object, over caches with these objects. */
export async function startDependents(model: ResourceModel, ...objects: (readonly [KindRef, KubeObject])[]) {
  const parts = await ControllerParts.with([model.kind, owner], ...objects);
  let version = 1;
  parts.live = () => owner;
  parts.answer = ({ body, name }) => {
    const { metadata, ...rest } = body as KubeObject;
    version += 1;
    return { ...rest, metadata: { ...metadata, uid: `uid-${name}`, resourceVersion: String(version) } };
  };
  const dependents = new Dependents(model, parts.caches, parts.clock, { isServed });
  const context = new LiveContext(parts.services, parts.request(), owner);
  return { parts, dependents, run: { owner, instance: createInstance(model, owner), context } };
}

/** The writes, as `apply web`. */
export function sent({ sent: writes }: ControllerParts): string[] {
  return writes.map(({ verb, name }) => `${verb} ${name}`);
}

import type { KubeObject } from '../../api/objects/kube-object.js';
import type { ObjectText, WorkloadStep } from './plan.js';

/** Spells an object as plans do: `PodSet default/a`, `Node a`. */
export function placeOfObject({ kind = '', metadata: { namespace, name } }: KubeObject): ObjectText {
  return `${kind} ${namespace === undefined ? '' : `${namespace}/`}${name}`;
}

/** Returns the object that a step changes. */
export function objectOfStep(step: WorkloadStep): ObjectText {
  return step.do === 'create' ? placeOfObject(step.object) : step.object;
}

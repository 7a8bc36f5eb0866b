import { nearest } from '../../base/nearest.js';
import { located } from '../../resource/location.js';
import type { ResourceModel } from '../../resource/model.js';

/** A warning about a class without `reconcile` that has a method of a similar name, or relations that only a reconciler uses. */
export function missingReconcile(model: ResourceModel): string[] {
  const { target, isReconciled, owns, watches, finalizers } = model;
  if (isReconciled) return [];
  const method = methodsOf(target).find((name) => nearest(name, ['reconcile']) !== undefined);
  if (method !== undefined)
    return [located({ target, member: method }, `is never called; rename it if it should be reconcile`)];
  const unused = Object.entries({
    '@Owns': owns,
    '@Watches': watches,
    '@Finalizer': finalizers,
  })
    .filter(([, uses]) => uses.length > 0)
    .map(([decorator]) => decorator);
  if (unused.length === 0) return [];
  return [
    located(
      { target },
      `${unused.join(', ')} ${unused.length > 1 ? 'have' : 'has'} no effect without a reconcile method`,
    ),
  ];
}

/** The methods of a class and its base classes. */
function methodsOf(target: abstract new (...args: never[]) => object): string[] {
  const names: string[] = [];
  for (let at = target.prototype as object; at !== Object.prototype; at = Object.getPrototypeOf(at) as object)
    names.push(...Object.getOwnPropertyNames(at).filter((name) => isMethod(at, name)));
  return names;
}

function isMethod(prototype: object, name: string): boolean {
  return name !== 'constructor' && typeof Object.getOwnPropertyDescriptor(prototype, name)?.value === 'function';
}

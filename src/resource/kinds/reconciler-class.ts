import { CustomResource } from '../custom-resource.js';
import type { Mistakes } from '../mistakes.js';

/** Whether a class has the method to run; an abstract class may leave it out, and only define its kind. */
export function isReconciled(target: abstract new (...args: never[]) => object): boolean {
  return typeof (target.prototype as Record<string, unknown>)['reconcile'] === 'function';
}

/** Checks that a class can be made and run: one instance per reconcile, called with a context. */
export function checkReconciler(target: abstract new (...args: never[]) => object, mistakes: Mistakes): void {
  const className = target.name;
  if (!(target.prototype instanceof CustomResource)) {
    mistakes.add({ className }, 'is no CustomResource', `class ${className} extends CustomResource`);
    return;
  }
  if (isReconciled(target) || 'reconcile' in target) checkMethod(target, 'reconcile', mistakes);
  checkMethod(target, 'deleted', mistakes);
  if (target.length > 0)
    mistakes.add({ className }, 'has a constructor with parameters, and nobody to pass them', 'remove the parameters');
  else checkConstructor(target as unknown as new () => object, mistakes);
}

function checkMethod(target: abstract new (...args: never[]) => object, name: string, mistakes: Mistakes): void {
  const method = (target.prototype as Record<string, unknown>)[name];
  const place = { className: target.name, member: name };
  const hint = `async ${name}(ctx: Context): Promise<void>`;
  if (typeof method !== 'function') {
    const isStatic = typeof (target as unknown as Record<string, unknown>)[name] === 'function';
    mistakes.add(place, isStatic ? 'is static' : 'is missing', hint);
  } else if (method.length > 1) mistakes.add(place, 'takes more than the context', hint);
}

function checkConstructor(target: new () => object, mistakes: Mistakes): void {
  try {
    new target();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const hint = 'make no use of the cluster or the object before reconcile: the fields are filled in later';
    mistakes.add({ className: target.name }, `its constructor throws: ${reason}`, hint);
  }
}

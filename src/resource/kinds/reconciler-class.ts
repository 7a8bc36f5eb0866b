import { CustomResource } from '../custom-resource.js';
import type { Diagnostics } from '../diagnostics.js';

/** Whether a class has the method to run; an abstract class may leave it out, and only define its kind. */
export function isReconciled(target: abstract new (...args: never[]) => object): boolean {
  return typeof (target.prototype as Record<string, unknown>)['reconcile'] === 'function';
}

/** Checks that a class can be made and run: one instance per reconcile, called with a context. */
export function checkReconciler(target: abstract new (...args: never[]) => object, diagnostics: Diagnostics): void {
  if (!(target.prototype instanceof CustomResource)) {
    diagnostics.add({ target }, 'is no CustomResource', `class ${target.name} extends CustomResource`);
    return;
  }
  if (isReconciled(target) || 'reconcile' in target) checkMethod(target, 'reconcile', diagnostics);
  checkMethod(target, 'deleted', diagnostics);
  if (target.length > 0)
    diagnostics.add({ target }, 'has a constructor with parameters, and nobody to pass them', 'remove the parameters');
  else checkConstructor(target as unknown as new () => object, diagnostics);
}

function checkMethod(target: abstract new (...args: never[]) => object, name: string, diagnostics: Diagnostics): void {
  const method = (target.prototype as Record<string, unknown>)[name];
  const location = { target, member: name };
  const hint = `async ${name}(ctx: Context): Promise<void>`;
  if (typeof method !== 'function') {
    const isStatic = typeof (target as unknown as Record<string, unknown>)[name] === 'function';
    diagnostics.add(location, isStatic ? 'is static' : 'is missing', hint);
  } else if (method.length > 1) diagnostics.add(location, 'takes more than the context', hint);
}

function checkConstructor(target: new () => object, diagnostics: Diagnostics): void {
  try {
    new target();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const hint = 'make no use of the cluster or the object before reconcile: the fields are filled in later';
    diagnostics.add({ target }, `its constructor throws: ${reason}`, hint);
  }
}

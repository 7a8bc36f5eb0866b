import { CustomResource } from '../custom-resource.js';
import type { Diagnostics } from '../diagnostics.js';

/** Returns true if a class has a `reconcile` method; an abstract class without it only defines its kind. */
export function isReconciled(target: abstract new (...args: never[]) => object): boolean {
  return typeof (target.prototype as Record<string, unknown>)['reconcile'] === 'function';
}

/** Adds diagnostics for a class that cannot be instantiated and run: one instance per reconcile, called with a context. */
export function collectReconciler(target: abstract new (...args: never[]) => object, diagnostics: Diagnostics): void {
  if (!(target.prototype instanceof CustomResource)) {
    diagnostics.add({ target }, 'must extend CustomResource', `class ${target.name} extends CustomResource`);
    return;
  }
  if (isReconciled(target) || 'reconcile' in target) checkMethod(target, 'reconcile', diagnostics);
  checkMethod(target, 'deleted', diagnostics);
  if (target.length > 0) diagnostics.add({ target }, 'has a constructor with parameters', 'remove the parameters');
  else checkConstructor(target as unknown as new () => object, diagnostics);
}

function checkMethod(target: abstract new (...args: never[]) => object, name: string, diagnostics: Diagnostics): void {
  const method = (target.prototype as Record<string, unknown>)[name];
  const location = { target, member: name };
  const hint = `async ${name}(ctx: Context): Promise<void>`;
  if (typeof method !== 'function') {
    const isStatic = typeof (target as unknown as Record<string, unknown>)[name] === 'function';
    diagnostics.add(location, isStatic ? 'must not be static' : 'is missing', hint);
  } else if (method.length > 1) diagnostics.add(location, 'has more parameters than the context', hint);
}

function checkConstructor(target: new () => object, diagnostics: Diagnostics): void {
  try {
    new target();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const hint = 'move the code to reconcile: the fields are set after construction';
    diagnostics.add({ target }, `the constructor throws: ${reason}`, hint);
  }
}

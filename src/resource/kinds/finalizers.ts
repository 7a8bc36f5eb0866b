import type { KindRef } from '../../api/kind-ref.js';
import { FINALIZER } from '../decorators/finalizer.js';
import { inheritedMetadata } from '../metadata.js';
import type { Diagnostics } from '../diagnostics.js';
import { hasOrderedDeletion } from './dependents.js';
import { isQualifiedName } from './names.js';

/** A finalizer and the method that runs before it is removed. */
export interface FinalizerMethod {
  readonly name: string;
  /** Undefined for the finalizer under which the operator deletes dependent objects in order. */
  readonly method: string | undefined;
}

/** The finalizer under which the operator deletes dependent objects in order. */
export function dependentsFinalizer({ group }: KindRef): string {
  return `${group}/dependents`;
}

/** The finalizers of a class in source order, those of its base classes first; before them that of its dependents. */
export function finalizersOf(
  target: abstract new (...args: never[]) => object,
  kind: KindRef,
  diagnostics: Diagnostics,
): FinalizerMethod[] {
  const found: FinalizerMethod[] = [];
  if (hasOrderedDeletion(target)) found.push({ name: dependentsFinalizer(kind), method: undefined });
  for (const { name, method, isStatic } of inheritedMetadata(FINALIZER, target)) {
    const report = (problem: string, hint: string): void => {
      diagnostics.add({ target, member: method }, `@Finalizer: ${problem}`, hint);
    };
    const isMethod = typeof (target.prototype as Record<string, unknown>)[method] === 'function';
    if (isStatic) report('must not be on a static method', `remove static from ${method}`);
    else if (!isMethod) report('must be on a method', `@Finalizer('${name}') async ${method}(ctx: Context)`);
    collectName(name, report);
    if (found.some((other) => other.name === name))
      report(`duplicate finalizer "${name}"`, 'use a different name for each');
    found.push({ name, method });
  }
  return found;
}

function collectName(name: string, report: (problem: string, hint: string) => void): void {
  const [domain = '', rest] = name.split('/');
  if (!isQualifiedName(name) || rest === undefined)
    report(
      `"${name}" must be a domain, a slash and a name of up to 63 characters`,
      `@Finalizer('apps.example.com/cleanup')`,
    );
  else if (/(?:^|\.)(?:k8s|kubernetes)\.io$/.test(domain))
    report(`"${name}" is in a domain reserved for Kubernetes`, `@Finalizer('apps.example.com/${rest}')`);
}

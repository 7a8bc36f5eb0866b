import type { KindRef } from '../../api/kinds/kind-ref.js';
import { FINALIZER } from '../decorators/finalizer.js';
import { inheritedMetadata } from '../metadata.js';
import type { Diagnostics } from '../diagnostics.js';
import { controllerOptions, controllerUse } from './controller-class.js';
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

/** The finalizers of a class in source order, base classes first; the finalizer of its dependents comes before them. */
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
  collectFormer(target, found, diagnostics);
  return found;
}

function collectFormer(
  target: abstract new (...args: never[]) => object,
  declared: readonly FinalizerMethod[],
  diagnostics: Diagnostics,
): void {
  for (const name of controllerOptions(target).formerFinalizers ?? []) {
    const report = (problem: string, hint: string): void => {
      diagnostics.add({ target, decorator: controllerUse(target) }, `@Controller: formerFinalizers: ${problem}`, hint);
    };
    collectName(name, report, `formerFinalizers: ['apps.example.com/cleanup']`);
    const method = declared.find((finalizer) => finalizer.name === name)?.method;
    if (method !== undefined)
      report(`"${name}" is a finalizer of ${method}`, `remove it, or the decorator @Finalizer of ${method}`);
  }
}

function collectName(
  name: string,
  report: (problem: string, hint: string) => void,
  example = `@Finalizer('apps.example.com/cleanup')`,
): void {
  const [domain = '', rest] = name.split('/');
  if (!isQualifiedName(name) || rest === undefined)
    report(`"${name}" must be a domain, a slash and a name of up to 63 characters`, example);
  else if (/(?:^|\.)(?:k8s|kubernetes)\.io$/.test(domain))
    report(`"${name}" is in a domain reserved for Kubernetes`, example.replace(/cleanup(?=')/, rest));
}

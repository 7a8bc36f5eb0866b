import { DAEMON } from '../decorators/daemon.js';
import type { Diagnostics } from '../diagnostics.js';
import { inheritedMetadata } from '../metadata.js';

/** The `@Daemon` methods of a class in source order, those of its base classes first. */
export function daemonMethodsOf(target: abstract new (...args: never[]) => object, diagnostics: Diagnostics): string[] {
  const found: string[] = [];
  for (const { method, isStatic } of inheritedMetadata(DAEMON, target)) {
    const report = (problem: string, hint: string): void => {
      diagnostics.add({ target, member: method }, `@Daemon: ${problem}`, hint);
    };
    const member = (target.prototype as Record<string, unknown>)[method];
    const hint = `async ${method}(ctx: Context, task: DaemonTask): Promise<void>`;
    if (isStatic) report('must not be on a static method', `remove static from ${method}`);
    else if (typeof member !== 'function') report('must be on a method', `@Daemon() ${hint}`);
    else if (method === 'reconcile') report('must not be on reconcile', `@Daemon() async follow(ctx, task)`);
    else if (member.length > 2) report('the method has more parameters than the context and the task', hint);
    if (!found.includes(method)) found.push(method);
  }
  return found;
}

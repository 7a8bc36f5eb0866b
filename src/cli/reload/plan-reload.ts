import { cacheKey, kindKey } from '../../api/kinds/kind-ref.js';
import { deepEqual } from '../../base/deep-equal.js';
import { hasConversion } from '../../resource/conversion/kind-conversion-of.js';
import type { InjectionToken } from '../../resource/decorators/inject.js';
import { isRun } from '../../resource/is-run.js';
import { kindsOf } from '../../resource/kinds/kinds-of.js';
import type { ResourceModel } from '../../resource/model.js';

/** A class of which another version was loaded. */
export interface ReplacedClass {
  readonly previous: ResourceModel;
  readonly next: ResourceModel;
}

/** The changes when files are loaded again; classes that stay the same are in none of the lists. */
export interface ReloadPlan {
  readonly added: readonly ResourceModel[];
  readonly removed: readonly ResourceModel[];
  readonly replaced: readonly ReplacedClass[];
  /** Set if a manager that runs cannot take over the change: the class and the reason. */
  readonly restart: string | undefined;
}

/** @param hasLease true if the name of a lease may derive from the names of the classes */
export function planReload(
  running: readonly ResourceModel[],
  next: readonly ResourceModel[],
  hasLease: boolean,
): ReloadPlan {
  const before = new Map(running.map((model) => [identityOf(model), model]));
  const after = new Map(next.map((model) => [identityOf(model), model]));
  const added = next.filter((model) => !before.has(identityOf(model)));
  const removed = running.filter((model) => !after.has(identityOf(model)));
  const replaced = next.flatMap((model) => {
    const previous = before.get(identityOf(model));
    return previous && previous.target !== model.target ? [{ previous, next: model }] : [];
  });
  const tokens = new Set(running.flatMap(({ injections }) => injections.map(({ token }) => token)));
  const changed = [
    ...[...added, ...removed].map((model) => [model, membershipReason(model, hasLease)] as const),
    ...replaced.map((change) => [change.next, replacementReason(change, tokens)] as const),
  ];
  const [restart] = changed.flatMap(([{ className }, reason]) =>
    reason === undefined ? [] : [`${className} ${reason}`],
  );
  return { added, removed, replaced, restart };
}

/** The identity of a class, which a change of its code or its name does not change. */
function identityOf({ definesKind, kind, className, isReconciled, controller }: ResourceModel): string {
  return `${definesKind ? kindKey(kind) : className} ${isReconciled ? controller.name : ''}`;
}

/** Returns why a class cannot be added to a manager that runs, or removed from it. */
function membershipReason(model: ResourceModel, hasLease: boolean): string | undefined {
  if (isRun(model) && hasLease) return 'is part of the name of the lease';
  if (model.webhooks.length > 0) return 'has webhooks';
  return startReason(model);
}

function replacementReason({ previous, next }: ReplacedClass, tokens: ReadonlySet<InjectionToken>): string | undefined {
  if (isRun(previous) !== isRun(next) || previous.isReconciled !== next.isReconciled)
    return next.isReconciled ? 'is reconciled now' : 'is no longer reconciled';
  if (!deepEqual(previous.webhooks, next.webhooks)) return 'has other webhooks';
  const reason = startReason(previous) ?? startReason(next);
  if (reason !== undefined) return reason;
  const injected = next.injections.find(({ token }) => !tokens.has(token));
  return injected && `has another class for @Inject ${injected.property}`;
}

/** Returns what of a class a manager takes over only at its start. */
function startReason({ target, sources, controller }: ResourceModel): string | undefined {
  if ('onStart' in target) return 'has onStart';
  if (hasConversion(target)) return 'converts objects';
  if (controller.clusters !== undefined) return 'has clusters';
  return sources.some(({ type }) => type === 'http') ? 'has @Source with a path' : undefined;
}

/** Returns the kinds that a class has begun or ceased to watch: `watches ConfigMap`. */
export function changedWatches({ previous, next }: ReplacedClass): string[] {
  const before = new Map(kindsOf(previous).map((kind) => [cacheKey(kind), kind.kind]));
  const after = new Map(kindsOf(next).map((kind) => [cacheKey(kind), kind.kind]));
  const begun = [...after].filter(([key]) => !before.has(key)).map(([, kind]) => `watches ${kind}`);
  const ended = [...before].filter(([key]) => !after.has(key)).map(([, kind]) => `no longer watches ${kind}`);
  return [...begun, ...ended];
}

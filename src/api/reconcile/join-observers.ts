import type { ReconcileObserver } from './reconcile-observer.js';

/** Returns an observer that calls each of the given ones, in order and nested in `within`; undefined without any. */
export function joinObservers(...observers: readonly (ReconcileObserver | undefined)[]): ReconcileObserver | undefined {
  const present = observers.filter((observer) => observer !== undefined);
  if (present.length < 2) return present[0];
  const isWithin = present.some((observer) => 'within' in observer);
  return {
    needsReads:
      ['located' as const, true].find((need) => present.some(({ needsReads = true }) => needsReads === need)) ?? false,
    began: (run) => {
      for (const observer of present) observer.began?.(run);
    },
    // Costs a closure for each run.
    ...(isWithin && {
      within: (run, reconcile) => {
        const nested = present.reduceRight<() => void>((inner, observer) => {
          return observer.within ? () => observer.within?.(run, inner) : inner;
        }, reconcile);
        nested();
      },
    }),
    ended: (run) => {
      for (const observer of present) observer.ended?.(run);
    },
    hotLoop: (report) => {
      for (const observer of present) observer.hotLoop?.(report);
    },
    triggerBegan: (run) => {
      for (const observer of present) observer.triggerBegan?.(run);
    },
    withinTrigger: (run, call) => {
      const nested = present.reduceRight<() => void>((inner, observer) => {
        return observer.withinTrigger ? () => observer.withinTrigger?.(run, inner) : inner;
      }, call);
      nested();
    },
    triggerEnded: (run) => {
      for (const observer of present) observer.triggerEnded?.(run);
    },
  };
}

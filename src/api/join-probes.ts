import type { Probe } from './probe.js';

/** Returns a probe that calls each of the given ones, in order and nested in `within`; undefined without any. */
export function joinProbes(...probes: readonly (Probe | undefined)[]): Probe | undefined {
  const present = probes.filter((probe) => probe !== undefined);
  if (present.length < 2) return present[0];
  return {
    needsReads: present.some(({ needsReads = true }) => needsReads),
    began: (run) => {
      for (const probe of present) probe.began?.(run);
    },
    within: (run, reconcile) => {
      const nested = present.reduceRight<() => void>((inner, probe) => {
        return probe.within ? () => probe.within?.(run, inner) : inner;
      }, reconcile);
      nested();
    },
    ended: (run) => {
      for (const probe of present) probe.ended?.(run);
    },
    hotLoop: (report) => {
      for (const probe of present) probe.hotLoop?.(report);
    },
    triggerBegan: (run) => {
      for (const probe of present) probe.triggerBegan?.(run);
    },
    withinTrigger: (run, call) => {
      const nested = present.reduceRight<() => void>((inner, probe) => {
        return probe.withinTrigger ? () => probe.withinTrigger?.(run, inner) : inner;
      }, call);
      nested();
    },
    triggerEnded: (run) => {
      for (const probe of present) probe.triggerEnded?.(run);
    },
  };
}

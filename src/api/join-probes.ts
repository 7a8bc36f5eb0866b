import type { Probe } from './probe.js';

/** Returns a probe that calls each of the given ones, in order; undefined without any. */
export function joinProbes(...probes: readonly (Probe | undefined)[]): Probe | undefined {
  const present = probes.filter((probe) => probe !== undefined);
  if (present.length < 2) return present[0];
  return {
    began: (run) => {
      for (const probe of present) probe.began?.(run);
    },
    ended: (run) => {
      for (const probe of present) probe.ended?.(run);
    },
  };
}

import { BASELINE } from './baseline-checks.js';
import type { CheckedPod, VersionedCheck, Violation } from './pod-check.js';
import { RESTRICTED } from './restricted-checks.js';
import type { LevelVersion } from './security-policy.js';

/** What the level forbids of the pod; what came to the standards later than its version does not count. */
export function evaluatePod({ level, version }: LevelVersion, pod: CheckedPod): Violation[] {
  if (level === 'privileged') return [];
  const minor = version === 'latest' ? Infinity : Number(version.slice('v1.'.length));
  const applies = ({ versions }: VersionedCheck): boolean => versions.some(([since]) => since <= minor);
  const restricted = level === 'restricted' ? RESTRICTED.filter(applies) : [];
  const overridden = new Set(restricted.map(({ overrides }) => overrides));
  return [...BASELINE.filter(({ id }) => !overridden.has(id)), ...restricted].flatMap(({ versions }) => {
    const check = versions.findLast(([since]) => since <= minor)?.[1];
    return check?.(pod) ?? [];
  });
}

/** All in one line. */
export function violationText(violations: readonly Violation[]): string {
  return violations.map(({ reason, detail }) => `${reason} (${detail})`).join(', ');
}

import { durationMs } from '../../base/duration.js';
import type { RateLimit } from '../decorators/controller.js';
import type { Problem } from '../model-error.js';

/** The option `rateLimit` of a controller. */
export interface RateLimitSettings {
  readonly total?: number | undefined;
  readonly perObject?: number | undefined;
  readonly withinMs: number;
}

const EXAMPLE = `rateLimit: { total: 100, perObject: 6, within: '1m' }`;

/** NaN for a time that is not a duration. */
export function rateLimitSettings({ total, perObject, within }: RateLimit): RateLimitSettings {
  return { total, perObject, withinMs: durationMs(within) ?? NaN };
}

export function* rateLimitProblems(limit: RateLimit | undefined): Generator<Problem> {
  if (!limit) return;
  const { total, perObject, withinMs } = rateLimitSettings(limit);
  if (!(withinMs > 0)) yield [`rateLimit: within ${String(limit.within)} is not a duration longer than 0`, EXAMPLE];
  if (total === undefined && perObject === undefined) yield ['rateLimit has neither total nor perObject', EXAMPLE];
  for (const [name, runs] of Object.entries({ total, perObject }))
    if (runs !== undefined && !(Number.isSafeInteger(runs) && runs > 0))
      yield [`rateLimit: ${name} ${String(runs)} is not a positive integer`, EXAMPLE];
}

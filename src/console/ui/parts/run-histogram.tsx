import type { RunSummary } from '../../wire.js';
import { formatNoun, displayTime } from '../format.js';
import { now } from '../store.js';
import { isFailure } from './state.js';

const BARS = 60;
const STEPS_MS = [1000, 2000, 5000, 15_000, 60_000, 300_000];

interface Bar {
  readonly fromMs: number;
  total: number;
  failed: number;
}

/** The number of runs over time, with the failed ones; the list below it has the same content. */
export function RunHistogram({ runs }: { readonly runs: readonly RunSummary[] }) {
  const bars = barsOf(runs, now.value);
  const highest = Math.max(1, ...bars.map(({ total }) => total));
  const first = bars[0];
  if (!first || runs.length === 0) return null;
  const failed = bars.reduce((sum, bar) => sum + bar.failed, 0);
  return (
    <figure
      class="histogram"
      role="img"
      aria-label={`${formatNoun(runs.length, 'run')}, ${formatNoun(failed, 'failure')}`}
    >
      <div class="histogram-bars">
        {bars.map(({ fromMs, total, failed: bad }) => (
          <span
            key={fromMs}
            class="histogram-bar"
            title={`${displayTime(fromMs)}: ${formatNoun(total, 'run')}, ${formatNoun(bad, 'failure')}`}
          >
            <span class="histogram-bad" style={{ height: percent(bad / highest) }} />
            <span class="histogram-good" style={{ height: percent((total - bad) / highest) }} />
          </span>
        ))}
      </div>
      <div class="histogram-axis muted" aria-hidden="true">
        <span>{displayTime(first.fromMs)}</span>
        <span>at most {highest}</span>
        <span>now</span>
      </div>
    </figure>
  );
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)}%`;
}

function barsOf(runs: readonly RunSummary[], nowMs: number): Bar[] {
  const oldest = runs.at(-1)?.at ?? nowMs;
  const stepMs = STEPS_MS.find((step) => step * BARS >= nowMs - oldest) ?? 900_000;
  const endMs = Math.ceil(nowMs / stepMs) * stepMs;
  const bars = Array.from({ length: BARS }, (_, index): Bar => ({
    fromMs: endMs - (BARS - index) * stepMs,
    total: 0,
    failed: 0,
  }));
  for (const run of runs) {
    const bar = bars[BARS - 1 - Math.max(0, Math.floor((endMs - run.at - 1) / stepMs))];
    if (!bar) continue;
    bar.total += 1;
    if (isFailure(run.outcome)) bar.failed += 1;
  }
  return bars;
}

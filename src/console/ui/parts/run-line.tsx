import type { RunSummary } from '../../wire.js';
import { formatDuration, formatNoun, formatTime } from '../format.js';
import { hrefOf } from '../router.js';
import { OutcomeState } from './state.js';

/** A run in a short list of runs of one object. */
export function RunLine({ run }: { readonly run: RunSummary }) {
  return (
    <li>
      <a class="run-line" href={hrefOf('runs', run.id)}>
        <time class="muted">{formatTime(run.at)}</time>
        <OutcomeState outcome={run.outcome} />
        <span class="muted">{run.writes > 0 && formatNoun(run.writes, 'write')}</span>
        <span class="muted number">{run.ms !== undefined && formatDuration(run.ms)}</span>
        <span class="why">{run.error ?? run.why}</span>
      </a>
    </li>
  );
}

import type { RunOutcome, StateLevel } from '../../wire.js';
import { Icon, type IconName } from './icon.js';

type Tone = 'ok' | 'bad' | 'warn' | 'busy' | 'none';

/** A state as an icon and a word, so that colour is not the only difference. */
export function State({ tone, icon, text }: { readonly tone: Tone; readonly icon: IconName; readonly text: string }) {
  return (
    <span class={`state state-${tone}`}>
      <Icon name={icon} />
      <span class="state-word">{text}</span>
    </span>
  );
}

const LEVELS: Readonly<Record<StateLevel, readonly [Tone, IconName]>> = {
  ok: ['ok', 'ok'],
  progress: ['busy', 'busy'],
  error: ['bad', 'bad'],
  none: ['none', 'none'],
};

export function LevelState({ level, text }: { readonly level: StateLevel; readonly text: string }) {
  const [tone, icon] = LEVELS[level];
  return <State tone={tone} icon={icon} text={text || 'No status'} />;
}

const OUTCOMES: Readonly<Record<RunOutcome, readonly [Tone, IconName, string]>> = {
  done: ['ok', 'ok', 'Done'],
  requeueAfter: ['ok', 'clock', 'Requeued'],
  requeue: ['busy', 'busy', 'Retried'],
  aborted: ['warn', 'none', 'Aborted'],
  failed: ['bad', 'bad', 'Failed'],
  terminal: ['bad', 'bad', 'Terminal'],
  timeout: ['bad', 'clock', 'Timed out'],
};

/** The outcome of a run; a run without one is running. */
export function OutcomeState({ outcome }: { readonly outcome: RunOutcome | undefined }) {
  const [tone, icon, text] = outcome ? OUTCOMES[outcome] : (['busy', 'busy', 'Running'] as const);
  return <State tone={tone} icon={icon} text={text} />;
}

export function isFailure(outcome: RunOutcome | undefined): boolean {
  return outcome === 'failed' || outcome === 'terminal' || outcome === 'timeout';
}

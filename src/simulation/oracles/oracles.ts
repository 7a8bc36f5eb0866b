import type { History } from '../record/history.js';
import { alive } from './alive.js';
import { endState } from './end-state.js';
import { ledger } from './ledger.js';
import { fingerprint, type Alarm, type Oracle } from './oracle.js';
import { idempotent, stable } from './settling.js';

/** All oracles, those that show causes before those that show consequences. */
export function allOracles(): readonly Oracle[] {
  return [alive, stable, idempotent, ledger, endState];
}

/** Returns the alarms of all oracles, one for each problem. */
export function judge(
  oracles: readonly Oracle[],
  history: History,
  references: readonly History[],
  direct?: History,
): Alarm[] {
  const alarms = oracles.flatMap((oracle) => oracle.judge(history, references, direct));
  return [...new Map(alarms.map((alarm) => [fingerprint(alarm), alarm])).values()];
}

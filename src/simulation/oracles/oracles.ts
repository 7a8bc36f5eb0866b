import type { History } from '../record/history.js';
import { alive } from './alive.js';
import { permissions, saysSo } from './answers.js';
import { budget } from './budget.js';
import { endState, pathIndependence } from './end-state.js';
import { exclusive } from './exclusive.js';
import { invariants, type Invariants } from './invariants.js';
import { noLeaks } from './leaks.js';
import { ledger } from './ledger.js';
import { fingerprint, type Alarm, type Oracle } from './oracle.js';
import { othersFields } from './others-fields.js';
import { ownOnly } from './own-only.js';
import { idempotent, stable } from './settling.js';
import { status } from './status.js';

/** Declarations of the user about an operator. */
export interface OracleOptions extends Invariants {
  /** Kinds whose objects stay when the object for which they were created is deleted: `PersistentVolumeClaim`. */
  readonly keeps?: readonly string[];
  /** Kinds whose objects the operator may delete although others have created them. */
  readonly touches?: readonly string[];
}

/** All oracles, those that show causes before those that show consequences. */
export function allOracles({ keeps, touches, ...rules }: OracleOptions = {}): readonly Oracle[] {
  return [
    ...[alive, permissions, exclusive, ownOnly(touches), othersFields, invariants(rules), stable, budget],
    ...[idempotent, ledger, endState, status, saysSo, noLeaks(keeps), pathIndependence],
  ];
}

/** Returns the alarms of the oracles, one for each problem. */
export function judge(
  oracles: readonly Oracle[],
  history: History,
  references: readonly History[],
  direct?: History,
): Alarm[] {
  const alarms = oracles.flatMap((oracle) => oracle.judge(history, references, direct));
  return [...new Map(alarms.map((alarm) => [fingerprint(alarm), alarm])).values()];
}

import { StateMask } from '../canonical/compare-states.js';
import type { History } from '../record/history.js';
import { stateAlarms } from './end-state.js';
import type { Alarm, Oracle } from './oracle.js';
import { hasFired } from './run-facts.js';

/**
 * The state after changes of the wish equals the state of a run in which the last wish was the first one.
 *
 * Objects that Kubernetes keeps, such as the claims of a StatefulSet that became smaller, are not compared.
 */
export const pathIndependence: Oracle = {
  name: 'path',
  words: 'the state depends on earlier specs: something of a former spec stays, or is missing',
  judge(history, references, direct) {
    if (!direct || history.fired.length > 0 || !isEnded(history) || !isEnded(direct)) return [];
    if (hasFired(history, 'foreign')) return [];
    const mask = new StateMask([history, ...references]);
    return stateAlarms('path', history, direct, mask, 'a new object with the last spec').filter(isKept);
  },
};

/** Steps that the server refused would make another wish. */
function isEnded({ calm, steps }: History): boolean {
  return calm.isQuiet && steps.every(({ status = 0 }) => status >= 200 && status < 300);
}

function isKept({ object = '', reason }: Alarm): boolean {
  return !(object.startsWith('PersistentVolume') && reason !== 'missing');
}

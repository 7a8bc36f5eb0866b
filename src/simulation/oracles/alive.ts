import type { History, ReconcileRecord } from '../record/history.js';
import type { Alarm, Oracle } from './oracle.js';
import { hasFired, runFacts } from './run-facts.js';

/** Errors that a mistake in the code throws, and no answer of a server. */
const MISTAKES = new Set(['TypeError', 'ReferenceError', 'RangeError', 'SyntaxError', 'AssertionError']);
/** Faults under which a reconcile may reach its time limit. */
const SLOW = ['slow-api', 'webhook', 'blocked', 'clock', 'lost-answer'];

/** The code of the operator does not break, and each reconcile ends. */
export const alive: Oracle = {
  name: 'alive',
  words: 'the code throws a TypeError, leaves a rejection unhandled, or a reconcile never ends',
  judge(history) {
    const found = [...broken(history), ...mistakes(history), ...endless(history)];
    const key = ({ object, reason }: Alarm): string => `${object ?? ''} ${reason}`;
    return found.filter((alarm, index) => found.findIndex((other) => key(other) === key(alarm)) === index);
  },
};

function* broken({ breakdowns }: History): Iterable<Alarm> {
  for (const { at, reason, message, stack } of breakdowns)
    yield {
      oracle: 'alive',
      reason: `${reason}: ${shape(message)}`,
      message: `${reason}: ${message}${where(stack)}`,
      at,
    };
}

function* mistakes(history: History): Iterable<Alarm> {
  for (const record of history.reconciles) {
    const { error, endedAt = record.at } = record;
    if (!error || !MISTAKES.has(error.name)) continue;
    const message = `reconcile threw ${error.name}: ${error.message}${where(error.stack)}`;
    const reason = `${error.name}: ${shape(error.message)}`;
    yield { oracle: 'alive', object: objectOf(history, record), reason, message, at: endedAt };
  }
}

function* endless(history: History): Iterable<Alarm> {
  if (hasFired(history, ...SLOW)) return;
  for (const record of history.reconciles) {
    if (record.outcome !== 'timeout') continue;
    const message = 'a reconcile reached its time limit, although the server answered all requests';
    const object = objectOf(history, record);
    yield { oracle: 'alive', object, reason: 'reconcile timed out', message, at: record.endedAt };
  }
}

function objectOf(history: History, { object }: ReconcileRecord): string {
  return runFacts(history).names.groupText(object);
}

/** A message without what differs between equal problems. */
function shape(message: string): string {
  const [line = ''] = message.split('\n');
  return line.replace(/[0-9a-f]{8}-[0-9a-f-]{27}|\d+/g, '#').slice(0, 100);
}

/** The first line of a stack outside of packages. */
function where(stack = ''): string {
  const line = stack.split('\n').find((text) => /^\s+at /.test(text) && !/node:|node_modules/.test(text));
  return line === undefined ? '' : ` (${line.trim().replace(/^at /, '')})`;
}

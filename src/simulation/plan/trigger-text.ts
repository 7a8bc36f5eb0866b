import { OperatorError } from '../../base/operator-error.js';
import type { Trigger } from './plan.js';

/** A subresource is written before the object: `patch status of PodSet default/a`. */
const TARGET = /^(?:(?<subresource>[a-z][\w-]*) of )?(?<object>any object|(?!of )\S+(?: (?!of )\S.*)?)$/;
const ANY = 'any object';

/** How a point is written: the words before its request, event or object. */
interface Form {
  readonly point: Trigger['point'];
  readonly prefix: string;
  /** The word for any verb; empty if the verb may be missing. Undefined for points without verbs. */
  readonly anyVerb?: string;
}

/** In the order in which they are tried: `after answer to` also begins with `after`. */
const FORMS: readonly Form[] = [
  { point: 'reconcile begins', prefix: 'before reconcile' },
  { point: 'reconcile ends', prefix: 'after reconcile' },
  { point: 'delivered', prefix: 'at event', anyVerb: '' },
  { point: 'answered', prefix: 'after answer to', anyVerb: 'request' },
  { point: 'committed', prefix: 'after', anyVerb: 'write' },
  { point: 'committed', prefix: 'from', anyVerb: 'write' },
  { point: 'sent', prefix: 'before', anyVerb: 'request' },
];

/**
 * Returns a trigger as text: `after create Secret default/a-tls`, `before reconcile of PodSet default/a #2`.
 *
 * @param preposition the word for a commit; faults that last are written with `from`
 */
export function formatTrigger(trigger: Trigger, preposition: 'after' | 'from' = 'after'): string {
  const { point, object, nth } = trigger;
  if (point === 'start') return 'at start';
  if (point === 'step') return `after step ${String(nth)}`;
  const form = FORMS.find((each) => each.point === point && (point !== 'committed' || each.prefix === preposition));
  const { prefix = '', anyVerb } = form ?? {};
  const target = anyVerb === undefined ? objectPart(object) : targetText(trigger, anyVerb);
  return [prefix, target, nth === 1 ? '' : `#${String(nth)}`].filter((part) => part !== '').join(' ');
}

function objectPart(object: string | undefined): string {
  return object === undefined ? '' : `of ${object}`;
}

function targetText({ verb, object, subresource }: Trigger, anyVerb: string): string {
  const name = object ?? (subresource === undefined ? '' : ANY);
  const of = subresource === undefined ? '' : `${subresource} of `;
  return `${verb ?? anyVerb} ${of}${name}`.trim();
}

/**
 * Parses the text of a trigger.
 *
 * @throws OperatorError (E_PLAN) that names the part that cannot be read and the forms that can
 */
export function parseTrigger(text: string): Trigger {
  const [, whole = text, number = '1'] = /^(.*?)(?: #(\d+))?$/.exec(text) ?? [];
  const nth = Number(number);
  if (nth < 1) throw invalidPlan(`#${number} is not an occurrence`, 'occurrences are counted from 1');
  if (whole === 'at start') return { point: 'start', nth };
  const step = /^after step (\d+)$/.exec(whole)?.[1];
  if (step !== undefined) return stepTrigger(Number(step));
  for (const form of FORMS) {
    const found = parseForm(form, whole);
    if (found) return { ...found, nth };
  }
  throw invalidPlan(`"${text}" is not a moment of a run`, MOMENTS);
}

function parseForm({ point, prefix, anyVerb }: Form, text: string): Omit<Trigger, 'nth'> | undefined {
  if (text !== prefix && !text.startsWith(`${prefix} `)) return undefined;
  const rest = text.slice(prefix.length).trim();
  if (anyVerb === undefined) return { point, ...parseReconcile(rest) };
  return rest === '' && anyVerb !== '' ? undefined : { point, ...parseRequest(rest, anyVerb) };
}

const MOMENTS = [
  'write one of: at start; after step 2; before reconcile of PodSet default/a; after create Secret default/a;',
  'before get Secret default/a; after answer to patch PodSet default/a; at event deleted Pod default/a-1',
].join(' ');

function stepTrigger(nth: number): Trigger {
  if (nth >= 1) return { point: 'step', nth };
  throw invalidPlan('step 0 does not exist', 'steps are counted from 1');
}

function parseReconcile(text: string): Pick<Trigger, 'object'> {
  if (text === '') return {};
  const object = /^of (\S+ .+)$/.exec(text)?.[1];
  if (object !== undefined) return { object };
  throw invalidPlan(`"${text}" does not name the object of a reconcile`, 'write: before reconcile of PodSet default/a');
}

function parseRequest(text: string, anyVerb: string): Pick<Trigger, 'verb' | 'object' | 'subresource'> {
  const [, word = '', rest] = /^(\S*)(?: (.+))?$/.exec(text) ?? [];
  const verb = word === anyVerb ? {} : { verb: parseVerb(word, text, anyVerb) };
  return rest === undefined ? verb : { ...verb, ...parseTarget(rest) };
}

function parseVerb(word: string, text: string, anyVerb: string): string {
  if (/^[a-z]+$/.test(word)) return word;
  const hint =
    anyVerb === ''
      ? 'write an event: added, modified, deleted or listed'
      : `write a verb, as in create ${text}, or ${anyVerb} for any`;
  throw invalidPlan(`"${text}" does not begin with a verb`, hint);
}

function parseTarget(text: string): Pick<Trigger, 'object' | 'subresource'> {
  const { subresource, object } = TARGET.exec(text)?.groups ?? {};
  if (object === undefined)
    throw invalidPlan(`"${text}" is not an object`, 'write its kind and name: Pod default/a, Node a');
  return { ...(object !== ANY && { object }), ...(subresource !== undefined && { subresource }) };
}

/** Returns the error for the text of a plan that cannot be read. */
export function invalidPlan(message: string, hint: string): OperatorError {
  return new OperatorError(`plan: ${message}`, { code: 'E_PLAN', hint });
}

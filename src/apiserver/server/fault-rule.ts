import { inspect } from 'node:util';
import type { StatusDetails } from '../../api/protocol/status.js';
import { OperatorError } from '../../base/operator-error.js';
import { modified, notFound, StatusError } from '../errors/status-error.js';
import type { ApiRequest } from '../transport/request/api-request.js';

/** The verb of a request as in RBAC; `write` is each of create, update, patch, delete and deletecollection. */
export type FaultVerb =
  'get' | 'list' | 'watch' | 'create' | 'update' | 'patch' | 'delete' | 'deletecollection' | 'write';

/** Which requests of the operators are disturbed, and how: `status`, `drop`, `delay`, or `delay` with one of the others. */
export interface FaultRule {
  /** Default: all. Server-side apply, as of `ctx.apply`, is a patch. */
  readonly verb?: FaultVerb | readonly FaultVerb[];
  /**
   * The plural name, with or without group: `deployments`, `deployments.apps`; of a subresource `deployments/status`; of both
   * `deployments/*`. Default: everything but Events.
   */
  readonly resource?: string;
  /** Default: all. */
  readonly namespace?: string;
  /** The name in the path of the request, which lists and creations do not have. Default: all. */
  readonly name?: string;
  /** The first matching request that is disturbed, from 1. Default 1. */
  readonly nth?: number;
  /** How many matching requests are disturbed. Default: one if `nth` is set, otherwise all. */
  readonly times?: number;
  /** Responds with this HTTP status, from 400 to 599, and a Status object. The request has no other effect. */
  readonly status?: number;
  /** The reason in the Status, such as `AlreadyExists`. Default: that of the status. */
  readonly reason?: string;
  /** The message in the Status. */
  readonly message?: string;
  /** The delay that the response asks the client for. Default: none. */
  readonly retryAfterSeconds?: number;
  /**
   * Closes the connection without a response: `before` the request has any effect, or `after` it was processed, for example
   * after its object was stored. A client sees no difference.
   */
  readonly drop?: 'before' | 'after';
  /** Milliseconds, on the clock of the cluster, until the request is processed. It has no effect if the client disconnects. */
  readonly delay?: number;
}

/** Which watches end, and how. */
export interface WatchEnd {
  /** The plural name, with or without group. Default: all. */
  readonly resource?: string;
  /** The error of the last event, such as 410. Default: none. */
  readonly status?: number;
}

const OPTIONS: ReadonlySet<string> = new Set<keyof FaultRule>([
  ...(['verb', 'resource', 'namespace', 'name', 'nth', 'times'] as const),
  ...(['status', 'reason', 'message', 'retryAfterSeconds', 'drop', 'delay'] as const),
]);
const VERBS: ReadonlySet<unknown> = new Set<FaultVerb>([
  ...(['get', 'list', 'watch', 'create', 'update', 'patch', 'delete', 'deletecollection', 'write'] as const),
]);
const DROPS: ReadonlySet<unknown> = new Set<FaultRule['drop']>([undefined, 'before', 'after']);
const REASONS: ReadonlyMap<number, string> = new Map([
  [400, 'BadRequest'],
  [401, 'Unauthorized'],
  [403, 'Forbidden'],
  [404, 'NotFound'],
  [405, 'MethodNotAllowed'],
  [409, 'Conflict'],
  [410, 'Expired'],
  [413, 'RequestEntityTooLarge'],
  [415, 'UnsupportedMediaType'],
  [422, 'Invalid'],
  [429, 'TooManyRequests'],
  [500, 'InternalError'],
  [503, 'ServiceUnavailable'],
  [504, 'Timeout'],
]);

/** @throws OperatorError for a rule with an unknown option or an invalid value, as JavaScript may pass it. */
export function assertFaultRule(rule: FaultRule): void {
  for (const option of Object.keys(rule))
    if (!OPTIONS.has(option)) throw mistake(`unknown option ${option}`, `use ${[...OPTIONS].join(', ')}`);
  for (const verb of [rule.verb ?? []].flat())
    if (!VERBS.has(verb)) throw mistake(`unknown verb ${inspect(verb)}`, `use ${[...VERBS].join(', ')}`);
  assertNumber('nth', rule.nth, 1);
  assertNumber('times', rule.times, 1);
  assertNumber('status', rule.status, 400, 599);
  assertNumber('retryAfterSeconds', rule.retryAfterSeconds, 0);
  assertNumber('delay', rule.delay, 0);
  assertEffects(rule);
}

function assertEffects(rule: FaultRule): void {
  const { status, drop, delay } = rule;
  if (!DROPS.has(drop)) throw mistake(`unknown value ${inspect(drop)} of drop`, "use 'before' or 'after'");
  if (status === undefined) {
    const described = (['reason', 'message', 'retryAfterSeconds'] as const).find((each) => rule[each] !== undefined);
    if (described) throw mistake(`${described} requires status`, 'set status, such as 409 or 503');
    if ((drop ?? delay) === undefined) throw mistake('the rule has no effect', 'set status, drop or delay');
  } else if (drop !== undefined)
    throw mistake('status and drop cannot be combined', 'a dropped connection has no response');
}

/** Returns the error of a rule with a status; of no request, for the watches of several resources. */
export function faultStatus(rule: FaultRule, info: ApiRequest['info'] | undefined): StatusError {
  const { status = 500, retryAfterSeconds } = rule;
  const { reason = REASONS.get(status) ?? '', message = usualMessage(status, info) } = rule;
  const details = { ...(info && detailsOf(info)), ...(retryAfterSeconds !== undefined && { retryAfterSeconds }) };
  return new StatusError(status, reason, message, details);
}

function detailsOf({ name, group, plural }: ApiRequest['info']): StatusDetails {
  return { ...(name !== '' && { name }), ...(group !== '' && { group }), kind: plural };
}

/** The message of the server itself, if it is about an object. */
function usualMessage(status: number, info: ApiRequest['info'] | undefined): string {
  if (info && info.name !== '') {
    if (status === 404) return notFound(info, info.name).message;
    if (status === 409) return modified(info, info.name).message;
  }
  return `status ${String(status)} by a fault of the test`;
}

function assertNumber(option: string, value: unknown, least: number, most = Infinity): void {
  if (value === undefined) return;
  const isInteger = Number.isInteger(value) || (value === Infinity && option === 'times');
  if (isInteger && Number(value) >= least && Number(value) <= most) return;
  const range = most === Infinity ? `of at least ${String(least)}` : `from ${String(least)} to ${String(most)}`;
  throw mistake(`${option} is ${inspect(value)}`, `use an integer ${range}`);
}

function mistake(message: string, hint: string): OperatorError {
  return new OperatorError(`invalid fault: ${message}`, { code: 'E_FAULT', hint });
}

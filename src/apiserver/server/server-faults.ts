import type { ServerResponse } from 'node:http';
import type { Clock } from '../../base/clock.js';
import type { StatusError } from '../errors/status-error.js';
import type { ApiRequest } from '../transport/request/api-request.js';
import { assertFaultRule, faultStatus, type FaultRule, type WatchEnd } from './fault-rule.js';

/** The header of requests that no fault disturbs. */
export const UNDISTURBED_HEADER = 'kindwright-undisturbed';

/** A rule of `cluster.faults.add` until it is removed. */
export class ActiveFault implements Disposable {
  private matches = 0;
  private disturbed = 0;

  /** @internal */
  constructor(
    /** @internal */
    readonly rule: FaultRule,
    private readonly onRemove: (fault: ActiveFault) => void,
  ) {}

  /** The number of requests that were disturbed. */
  get hits(): number {
    return this.disturbed;
  }

  /** Ends the fault for requests that arrive from now on. Delayed requests stay delayed. May be called twice. */
  remove(): void {
    this.onRemove(this);
  }

  /** For `using`: removes the fault at the end of the block. */
  [Symbol.dispose](): void {
    this.remove();
  }

  /**
   * Counts a request, and returns whether it is disturbed.
   *
   * @internal
   */
  takes(request: ApiRequest): boolean {
    const { nth = 1, times = this.rule.nth === undefined ? Infinity : 1 } = this.rule;
    if (!isMatch(this.rule, request)) return false;
    this.matches += 1;
    if (this.matches < nth || this.matches >= nth + times) return false;
    this.disturbed += 1;
    return true;
  }
}

/**
 * Disturbs requests of the operators to the embedded server, to test that they cope with it. Requests of `cluster.client`
 * and of the other methods of the cluster are not disturbed and not counted.
 *
 * Order: each request is compared with all rules in the order of their addition. All rules that match count it; the first that
 * is due disturbs it.
 */
export class ServerFaults {
  private readonly faults = new Set<ActiveFault>();

  /** @internal */
  constructor(
    private readonly clock: Clock,
    private readonly endWatches: (resource: string | undefined, error: StatusError | undefined) => number,
  ) {}

  /**
   * Disturbs requests that match the rule, until the fault is removed.
   *
   * @throws OperatorError (E_FAULT) for an option that does not exist or has an invalid value.
   */
  add(rule: FaultRule): ActiveFault {
    assertFaultRule(rule);
    const fault = new ActiveFault({ ...rule }, (removed) => this.faults.delete(removed));
    this.faults.add(fault);
    return fault;
  }

  /** Removes all faults. */
  clear(): void {
    this.faults.clear();
  }

  /**
   * Ends the open watches of a resource (default: of all), also those of `cluster.client`, and returns their number. They end
   * like those whose time is up; with `status: 410`, the last event is that error, and clients list again.
   *
   * @throws OperatorError (E_FAULT) for an invalid status.
   */
  closeWatches(options: WatchEnd = {}): number {
    const { resource, status } = options;
    if (status === undefined) return this.endWatches(resource, undefined);
    assertFaultRule({ status });
    return this.endWatches(resource, faultStatus({ status }, undefined));
  }

  /**
   * Returns the rule that disturbs a request.
   *
   * @internal
   */
  ruleFor(request: ApiRequest): FaultRule | undefined {
    if (this.faults.size === 0 || request.message.headers[UNDISTURBED_HEADER] !== undefined) return undefined;
    const due = [...this.faults].filter((fault) => fault.takes(request));
    return due[0]?.rule;
  }

  /**
   * Waits before a request is processed; resolves at once if its client disconnects.
   *
   * @internal
   */
  async delay({ delay = 0 }: FaultRule, response: ServerResponse): Promise<void> {
    if (delay === 0) return;
    await new Promise<void>((resolve) => {
      const cancel = this.clock.schedule(delay, resolve);
      response.once('close', () => {
        cancel();
        resolve();
      });
    });
  }
}

const WRITES: ReadonlySet<string> = new Set(['create', 'update', 'patch', 'delete', 'deletecollection']);
const EVENT_GROUPS: ReadonlySet<string> = new Set(['', 'events.k8s.io']);

function isMatch(rule: FaultRule, { info }: ApiRequest): boolean {
  if (!info.isResource || !isVerb(rule.verb, info.verb)) return false;
  if (!isOrAny(rule.namespace, info.namespace) || !isOrAny(rule.name, info.name)) return false;
  return rule.resource === undefined ? !isEvent(info) : isResource(rule.resource, info);
}

function isVerb(wanted: FaultRule['verb'], verb: string): boolean {
  const verbs: readonly string[] = wanted === undefined ? [verb] : [wanted].flat();
  return verbs.includes(verb) || (verbs.includes('write') && WRITES.has(verb));
}

function isOrAny(wanted: string | undefined, given: string | undefined): boolean {
  return wanted === undefined || wanted === given;
}

function isEvent({ plural, group }: ApiRequest['info']): boolean {
  return plural === 'events' && EVENT_GROUPS.has(group);
}

/** Returns whether `pods`, `deployments.apps`, `pods/status` or `pods/*` is the resource of a request. */
export function isResource(
  text: string,
  { plural, group, subresource }: Pick<ApiRequest['info'], 'plural' | 'group' | 'subresource'>,
): boolean {
  const [resource = '', wanted = ''] = text.split('/', 2);
  if (resource !== plural && resource !== `${plural}.${group}`) return false;
  return wanted === '*' || wanted === subresource;
}

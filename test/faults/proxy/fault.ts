import type { ProxiedCall, Verb } from './proxied-call.js';

/** A complete HTTP response. */
export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** What happens to the client's connection instead of a reply: it is closed, or stays open and silent. */
export type Severance = 'reset' | 'hang';

/** What replaces one line of a watch: text is sent as lines, buffers as they are, each by itself. */
export interface LineReplacement {
  readonly send: readonly (string | Buffer)[];
  /** What follows; default: the next line. `end` closes the response in order. */
  readonly then?: Severance | 'end';
}

/** One line of a watch. */
export interface WatchLine {
  readonly text: string;
  /** From 0, in this watch. */
  readonly index: number;
  readonly arrivedMs: number;
  readonly call: ProxiedCall;
}

/** A disturbance of requests and responses. Each function may wait; the client waits with it. */
export interface Fault {
  /** Before the request is forwarded. Anything but undefined is the answer, and nothing is forwarded. */
  request?(call: ProxiedCall): Promise<Reply | Severance | undefined>;
  /** After the server has answered: what it did is committed. Not called for watches. */
  response?(call: ProxiedCall, reply: Reply): Promise<Reply | Severance>;
  /** For each line of a watch, in order. */
  line?(line: WatchLine): Promise<LineReplacement | string>;
}

/** The calls that a fault applies to; an omitted property matches all calls. */
export interface CallMatch {
  readonly verb?: Verb | readonly Verb[];
  readonly group?: string;
  readonly resource?: string;
  /** Empty: the object itself. */
  readonly subresource?: string;
  readonly namespace?: string;
  readonly name?: string;
  readonly where?: (call: ProxiedCall) => boolean;
}

function matches(match: CallMatch, call: ProxiedCall): boolean {
  const { verb, where, ...fields } = match;
  if (verb !== undefined && ![verb].flat().includes(call.verb)) return false;
  for (const [field, value] of Object.entries(fields)) if (call[field as keyof ProxiedCall] !== value) return false;
  return where === undefined || where(call);
}

export interface Occurrence {
  /** The first matching call that is disturbed, from 1. Default 1. */
  readonly from?: number;
  /** How many calls are disturbed. Default: all. */
  readonly times?: number;
}

/** A fault that the proxy injects into matching calls until it is removed. */
export class InjectedFault {
  private seen = 0;
  private isRemoved = false;
  /** How many calls it has disturbed. */
  hits = 0;

  constructor(
    private readonly match: CallMatch,
    readonly fault: Fault,
    private readonly occurrence: Occurrence,
  ) {}

  /** Counts the call; returns whether it is disturbed. */
  takes(call: ProxiedCall): boolean {
    if (this.isRemoved || !matches(this.match, call)) return false;
    this.seen += 1;
    const { from = 1, times = Infinity } = this.occurrence;
    if (this.seen < from || this.seen >= from + times) return false;
    this.hits += 1;
    return true;
  }

  /** Ends it for later calls. Lines of watches that it has taken stay disturbed. */
  remove(): void {
    this.isRemoved = true;
  }
}

import { setTimeout as delay } from 'node:timers/promises';
import type { FaultProxy } from '../proxy/fault-proxy.js';
import type { Fault, InjectedFault, Reply, WatchLine } from '../proxy/fault.js';
import { answer, editLines, errorLine, GONE_MESSAGE, loseResponse, neverAnswer, statusReply } from '../proxy/faults.js';
import type { ProxiedCall, Verb } from '../proxy/proxied-call.js';

/** A fault of a random sequence, in a form that can be printed. */
export interface RandomFault {
  /** The step of the workload before which it begins. */
  readonly step: number;
  readonly action: ActionName;
  /** How many calls are disturbed, after how many that match. */
  readonly times: number;
  readonly skip: number;
  readonly ms: number;
}

interface Action {
  readonly verbs?: readonly Verb[];
  readonly fault?: (ms: number) => Fault;
  /** How many calls it disturbs. Default: a random number of up to 4. */
  readonly times?: number;
  /** What is done once, in place of disturbing calls. */
  readonly once?: (proxy: FaultProxy, ms: number) => Promise<void>;
}

const READS: readonly Verb[] = ['get', 'list'];
const WRITES: readonly Verb[] = ['create', 'update', 'patch', 'apply', 'delete'];
const ALL_BUT_DELETE: readonly Verb[] = [...READS, 'watch', 'create', 'update', 'patch', 'apply'];
const html = (status: number): Reply => ({
  status,
  headers: { 'content-type': 'text/html' },
  body: Buffer.from('<h1>A page of a proxy</h1>'),
});
const jsonText = (text: string): Reply => ({
  status: 200,
  headers: { 'content-type': 'application/json' },
  body: Buffer.from(text),
});
const json = (body: object): Reply => jsonText(JSON.stringify(body));
const retryAfter = { headers: { 'retry-after': '1' } };

const slow = (ms: number): Fault => ({
  request: async () => {
    await delay(ms);
    return undefined;
  },
});
/** Answers a request with the first response to the same request. */
function stale(): Fault {
  const replies = new Map<string, Reply>();
  return {
    response: async ({ url }, reply) => {
      const earlier = replies.get(url);
      if (!earlier && reply.status === 200) replies.set(url, reply);
      return earlier ?? reply;
    },
  };
}
const half = ({ text }: WatchLine): Buffer => Buffer.from(text.slice(0, text.length / 2));

/** Silent losses of lines are not among them: only an audit finds those, much later. */
const ACTIONS = {
  'delay a call': { fault: slow },
  'delay a watch line': {
    verbs: ['watch'],
    fault: (ms) => ({
      line: async ({ text }) => {
        await delay(ms);
        return text;
      },
    }),
  },
  'reset before the server sees it': { fault: () => ({ request: async () => 'reset' }) },
  'reset after the server has stored it': { verbs: WRITES, fault: () => loseResponse },
  'never answer': { verbs: [...READS, ...WRITES], fault: () => neverAnswer },
  'answer reads with an earlier response': { verbs: READS, fault: stale, times: 20 },
  'answer 200 with HTML': { fault: () => answer(html(200)) },
  'answer 200 with an empty object': { fault: () => answer(json({})) },
  // Not to a deletion, for which it means success.
  'answer 200 with a Status': {
    verbs: ALL_BUT_DELETE,
    fault: () => answer(json({ apiVersion: 'v1', kind: 'Status', metadata: {}, status: 'Success' })),
  },
  'answer 200 without a body': { fault: () => answer(jsonText('')) },
  'answer 200 with half an object': { fault: () => answer(jsonText('{"kind":"PodList","metadata":{"resourceV')) },
  'answer 200 with an item without metadata': {
    verbs: ['list'],
    fault: () => answer(json({ apiVersion: 'v1', kind: 'List', metadata: {}, items: [{}] })),
  },
  'answer 204': { verbs: ALL_BUT_DELETE, fault: () => answer({ status: 204, headers: {}, body: Buffer.of() }) },
  'answer 301': { fault: () => answer({ status: 301, headers: { location: '/elsewhere' }, body: Buffer.of() }) },
  'answer 401': { fault: () => answer(statusReply(401, 'Unauthorized')) },
  'answer 403': { fault: () => answer(statusReply(403, 'Forbidden')) },
  'answer 404 with HTML': { fault: () => answer(html(404)) },
  'answer 408': { fault: () => answer(statusReply(408, 'Timeout')) },
  'answer 409': { verbs: ['update', 'patch', 'apply'], fault: () => answer(statusReply(409, 'Conflict')) },
  'answer 410': {
    verbs: ['list', 'watch'],
    fault: () => answer(statusReply(410, 'Expired', { message: GONE_MESSAGE })),
  },
  'answer 422': { verbs: WRITES, fault: () => answer(statusReply(422, 'Invalid')) },
  'answer 429': { fault: () => answer(statusReply(429, 'TooManyRequests', retryAfter)) },
  'answer 500': { fault: () => answer(statusReply(500, 'InternalError')) },
  'answer 502 with HTML': { fault: () => answer(html(502)) },
  'answer 503': { fault: () => answer(statusReply(503, 'ServiceUnavailable')) },
  'answer 504': { fault: () => answer(statusReply(504, 'Timeout')) },
  'answer 507': { fault: () => answer(statusReply(507, 'StorageFull')) },
  'send a watch line twice': { verbs: ['watch'], fault: () => editLines(({ text }) => ({ send: [text, text] })) },
  'drop a watch line and reset': { verbs: ['watch'], fault: () => editLines(() => ({ send: [], then: 'reset' })) },
  'cut a watch line': { verbs: ['watch'], fault: () => editLines((line) => ({ send: [half(line)], then: 'reset' })) },
  'damage a watch line': { verbs: ['watch'], fault: () => editLines(({ text }) => `${text.slice(0, -3)}#}`) },
  'end a watch with 410': {
    verbs: ['watch'],
    fault: () => editLines(() => ({ send: [errorLine(410, 'Expired', GONE_MESSAGE)], then: 'end' })),
  },
  'end a watch after a line': {
    verbs: ['watch'],
    fault: () => editLines(({ text }) => ({ send: [text], then: 'end' })),
  },
  'cut all connections': { once: async (proxy) => proxy.cut() },
  'refuse connections': {
    once: async (proxy, ms) => {
      await proxy.refuse();
      await delay(ms);
      await proxy.listen();
    },
  },
} satisfies Readonly<Record<string, Action>>;

type ActionName = keyof typeof ACTIONS;

export function randomFaults(random: () => number, count: number, steps: number): RandomFault[] {
  const names = Object.keys(ACTIONS) as ActionName[];
  const below = (limit: number): number => Math.floor(random() * limit);
  const faults = Array.from({ length: count }, (): RandomFault => {
    const [step, action] = [below(steps), names[below(names.length)] ?? 'cut all connections'];
    const { times = 1 + below(4) }: Action = ACTIONS[action];
    return { step, action, times, skip: below(4), ms: 100 * (1 + below(15)) };
  });
  return faults.sort((a, b) => a.step - b.step);
}

/** The faults of one run, until they are healed. */
export class FaultPlayer {
  private readonly begun: Promise<void>[] = [];
  private readonly injected: InjectedFault[] = [];
  private isHealed = false;

  constructor(
    private readonly proxy: FaultProxy,
    private readonly faults: readonly RandomFault[],
  ) {}

  /** Begins the faults of a step. */
  begin(step: number): void {
    for (const fault of this.faults) if (fault.step === step) this.inject(fault);
  }

  /** Refuses connections for a time, after other faults of the proxy as a whole have ended. */
  refuse(ms: number): void {
    this.once(ACTIONS['refuse connections'].once, ms);
  }

  /** How many faults disturbed something. */
  get hits(): number {
    return this.begun.length + this.injected.filter(({ hits }) => hits > 0).length;
  }

  /** Ends all faults, also those of calls that wait. */
  async heal(): Promise<void> {
    this.isHealed = true;
    await Promise.all(this.begun);
    this.proxy.cut();
  }

  private inject({ action, times, skip, ms }: RandomFault): void {
    const { verbs, fault, once }: Action = ACTIONS[action];
    if (once) this.once(once, ms);
    if (!fault) return;
    const where = ({ verb }: ProxiedCall): boolean => !this.isHealed && (verbs?.includes(verb) ?? true);
    const disturbing = untilHealed(fault(ms), times, () => this.isHealed);
    this.injected.push(this.proxy.inject({ where }, disturbing, { from: skip + 1, times }));
  }

  /** One after the other, because a proxy that listens cannot listen again. */
  private once(act: NonNullable<Action['once']>, ms: number): void {
    const last = this.begun.at(-1);
    this.begun.push(last ? last.then(() => act(this.proxy, ms)) : act(this.proxy, ms));
  }
}

/** A fault of the lines of a watch would disturb all lines of a watch that it has taken. */
function untilHealed(fault: Fault, times: number, isHealed: () => boolean): Fault {
  const { line } = fault;
  if (!line) return fault;
  let disturbed = 0;
  return { line: async (received) => (isHealed() || ++disturbed > times ? received.text : line(received)) };
}

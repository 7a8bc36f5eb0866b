import type { InjectedError, SentRequest } from '../world/world-event.js';
import type { RunningPlan } from '../world/running-plan.js';
import type { Fault, Lasting } from './fault.js';
import { listening } from './process-faults.js';

const MINUTE_MS = 60_000;
const WEBHOOK_MS = 600_000;
const WEBHOOK = {
  denied: 'admission webhook "policy.example.com" denied the request: not now',
  down: 'Internal error occurred: failed calling webhook "policy.example.com": connection refused',
};
const REASONS: Readonly<Record<number, string>> = {
  403: 'Forbidden',
  429: 'TooManyRequests',
  500: 'InternalError',
  503: 'ServiceUnavailable',
  504: 'Timeout',
};

const lostAnswer: Fault = {
  name: 'lost-answer',
  words: 'a write takes effect, but its answer is lost',
  points: ['committed'],
  variants: [{ by: 'reset' }, { by: 'timeout' }],
  begin: (_run, { exchange }, { by = 'reset' }) => {
    exchange?.lose(by === 'timeout' ? 'timeout' : 'reset');
    return undefined;
  },
};

const refuse: Fault = {
  name: 'refuse',
  words: 'the server refuses requests for the moment, or cannot be reached',
  points: ['sent'],
  variants: [
    { status: 429 },
    { status: 500 },
    { status: 503 },
    { status: 504 },
    { status: 0 },
    { status: 500, forMs: MINUTE_MS },
    { status: 0, forMs: MINUTE_MS },
  ],
  begin: (run, { exchange }, { status = 500, forMs = 0 }) =>
    refusing(run, exchange, { code: Number(status), forMs: Number(forMs) }),
};

const forbidden: Fault = {
  name: 'forbidden',
  words: 'the operator loses a permission for a minute',
  points: ['sent'],
  variants: [{ forMs: MINUTE_MS }],
  begin: (run, { exchange }, { forMs = MINUTE_MS }) => refusing(run, exchange, { code: 403, forMs: Number(forMs) }),
};

const webhook: Fault = {
  name: 'webhook',
  words: 'an admission webhook denies the writes of a kind, or is down',
  points: ['sent'],
  variants: [{ by: 'denied' }, { by: 'down' }],
  begin: (run, { exchange }, { by = 'denied', forMs = WEBHOOK_MS }) => {
    const [code, message] = by === 'down' ? [500, WEBHOOK.down] : [403, WEBHOOK.denied];
    return refusing(run, exchange, { code, forMs: Number(forMs), message });
  },
};

const slowApi: Fault = {
  name: 'slow-api',
  words: 'an answer takes many seconds',
  points: ['sent'],
  variants: [{ ms: 5_000 }, { ms: 35_000 }],
  begin: (_run, { exchange }, { ms = 5_000 }) => {
    if (exchange) exchange.delayMs = Number(ms);
    return undefined;
  },
};

const conflict: Fault = {
  name: 'conflict',
  words: 'a rival changes the object between a read and the write that follows',
  points: ['sent'],
  variants: [{ times: 1 }, { times: 5 }],
  begin: (run, event, { times = 1 }) => {
    let left = Number(times);
    const rival = run.rival('conflict');
    const change = (exchange: SentRequest): void => {
      left -= 1;
      const release = exchange.keep();
      const patch = { metadata: { labels: { 'rival.example/change': String(left) } } };
      void rival.patch(run.world.textOf(exchange.record.object), patch).finally(release);
    };
    if (event.exchange) change(event.exchange);
    return listening(
      run,
      () => left <= 0,
      ({ point, exchange, process }) => {
        if (left <= 0 || point !== 'sent' || !exchange || exchange === event.exchange || !process) return;
        if (exchange.text === event.object && !isRead(exchange)) change(exchange);
      },
    );
  },
};

/** Lists with the resource version 0, which a real server may answer from an old cache. */
const oldList: Fault = {
  name: 'old-list',
  words: 'a list with resourceVersion=0 shows an earlier state',
  points: ['sent'],
  variants: [{ changes: 1 }, { changes: 3 }],
  begin: (run, { exchange }, { changes = 1 }) => {
    if (!exchange || exchange.info.verb !== 'list' || !/[?&]resourceVersion=0(&|$)/.test(exchange.path))
      return undefined;
    const revision = run.world.revisionBefore(exchange.info, Number(changes));
    if (revision !== undefined) exchange.listAt(revision);
    return undefined;
  },
};

export const REQUEST_FAULTS: readonly Fault[] = [lostAnswer, refuse, conflict, slowApi, forbidden, webhook, oldList];

function isRead({ record: { verb } }: SentRequest): boolean {
  return verb === 'get' || verb === 'list' || verb === 'watch';
}

/** Refuses a request, and those with its verb and resource for a time. The code 0 refuses the connection. */
function refusing(
  run: RunningPlan,
  first: SentRequest | undefined,
  { code, forMs, message }: { readonly code: number; readonly forMs: number; readonly message?: string | undefined },
): Lasting | undefined {
  if (!first) return undefined;
  const { world } = run;
  const endMs = world.at + forMs;
  const apply = (exchange: SentRequest): void => {
    if (code === 0) exchange.lose('refused');
    else exchange.refusal = message === undefined ? refusalOf(code, first) : errorOf(code, message);
  };
  apply(first);
  if (forMs === 0) return undefined;
  const { record, info } = first;
  return listening(
    run,
    () => world.at >= endMs,
    ({ point, exchange, process }) => {
      if (point !== 'sent' || !exchange || !process || world.at >= endMs) return;
      if (exchange.record.verb === record.verb && exchange.info.plural === info.plural) apply(exchange);
    },
  );
}

function refusalOf(status: number, { record, info }: SentRequest): InjectedError {
  const { plural, group } = info;
  const message =
    status === 403
      ? `${plural}${group === '' ? '' : `.${group}`} is forbidden: User cannot ${record.verb} resource "${plural}"`
      : `the server does not answer for the moment (${status})`;
  return { ...errorOf(status, message), retryAfterSeconds: status === 429 ? 1 : undefined };
}

function errorOf(status: number, message: string): InjectedError {
  return { status, reason: REASONS[status] ?? '', message };
}

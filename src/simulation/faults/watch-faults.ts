import type { Fault } from './fault.js';
import { listening } from './process-faults.js';

const SKIP_MS = 60_000;
const EXPIRED = {
  status: 410,
  reason: 'Expired',
  message: 'too old resource version: 1 (2)',
} as const;

const lag: Fault = {
  name: 'lag',
  words: 'the events of one watch come late, those of others in time',
  points: ['delivered'],
  variants: [{ ms: 1_000 }, { ms: 10_000 }, { ms: 60_000 }],
  begin: ({ world: { scheduler } }, { lane }, { ms = 10_000 }) => {
    const hold = scheduler.hold((step) => step.lane === lane, Number(ms));
    return {
      isOver: () => scheduler.nowMs >= hold.untilMs,
      end: () => {
        scheduler.release(hold);
      },
    };
  },
};

const skip: Fault = {
  name: 'skip',
  words: 'the operator never sees a state of an object, because the next one comes before it looks',
  points: ['delivered'],
  variants: [{}],
  begin: (_run, { exchange }) => {
    exchange?.skipUntilNext(SKIP_MS);
    return undefined;
  },
};

const merge: Fault = {
  name: 'merge',
  words: 'a watch is cut and resumed; events of some seconds come together',
  points: ['delivered'],
  variants: [{ ms: 0 }, { ms: 10_000 }],
  begin: (run, { exchange, process }, { ms = 0 }) => {
    if (!exchange) return undefined;
    const endMs = run.world.at + Number(ms);
    exchange.reset();
    return listening(
      run,
      () => run.world.at >= endMs,
      (next) => {
        if (next.point !== 'sent' || next.process !== process || run.world.at >= endMs) return;
        if (next.exchange?.isWatch && next.exchange.info.plural === exchange.info.plural) next.exchange.lose('refused');
      },
    );
  },
};

const relist: Fault = {
  name: 'relist',
  words: 'a watch is cut and cannot be resumed (410); the operator lists again',
  points: ['delivered'],
  variants: [{}],
  begin: (run, { exchange, process }) => {
    if (!exchange) return undefined;
    let isOver = false;
    exchange.reset();
    return listening(
      run,
      () => isOver,
      (next) => {
        if (isOver || next.point !== 'sent' || next.process !== process || !next.exchange?.isWatch) return;
        if (next.exchange.info.plural !== exchange.info.plural) return;
        isOver = true;
        next.exchange.refusal = EXPIRED;
      },
    );
  },
};

const duplicate: Fault = {
  name: 'duplicate',
  words: 'an event of a watch comes twice',
  points: ['delivered'],
  variants: [{}],
  begin: (_run, { exchange }) => {
    exchange?.repeat();
    return undefined;
  },
};

export const WATCH_FAULTS: readonly Fault[] = [lag, skip, merge, relist, duplicate];

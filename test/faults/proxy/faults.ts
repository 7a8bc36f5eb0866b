import { setTimeout as delay } from 'node:timers/promises';
import type { Fault, LineReplacement, Reply, WatchLine } from './fault.js';

/** A Status of the API server as a reply. */
export function statusReply(
  code: number,
  reason: string,
  {
    message = reason,
    headers = {},
    ...rest
  }: { message?: string; headers?: Record<string, string>; details?: object } = {},
): Reply {
  const status = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message, reason, code, ...rest };
  return {
    status: code,
    headers: { 'content-type': 'application/json', ...headers },
    body: Buffer.from(JSON.stringify(status)),
  };
}

export const GONE_MESSAGE = 'too old resource version: 1 (2)';

/** The line with which a watch reports a Status. */
export function errorLine(code: number, reason: string, message = reason): string {
  const object = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message, reason, code };
  return JSON.stringify({ type: 'ERROR', object });
}

/** Answers instead of the server. */
export function answer(reply: Reply): Fault {
  return { request: async () => reply };
}

/** Waits before the request is forwarded. */
export function delayRequest(ms: number): Fault {
  return {
    async request() {
      await delay(ms, undefined, { ref: false });
      return undefined;
    },
  };
}

/** Waits after the server has answered. */
export function delayResponse(ms: number): Fault {
  return {
    async response(_call, reply) {
      await delay(ms, undefined, { ref: false });
      return reply;
    },
  };
}

/** Closes the connection before the server sees the request. */
export const dropBeforeCommit: Fault = { request: async () => 'reset' };

/** Closes the connection after the server has executed the request. */
export const dropAfterCommit: Fault = { response: async () => 'reset' };

/** Never answers. The server does not see the request. */
export const neverAnswer: Fault = { request: async () => 'hang' };

/** Changes the response of the server. */
export function rewrite(change: (reply: Reply) => Reply): Fault {
  return { response: async (_call, reply) => change(reply) };
}

/** Replaces lines of watches. */
export function editLines(edit: (line: WatchLine) => LineReplacement | string): Fault {
  return { line: async (line) => edit(line) };
}

/** Delivers each line of a watch later than it arrives. */
export function delayLines(ms: number): Fault {
  return {
    async line({ text, arrivedMs }) {
      await delay(Math.max(0, arrivedMs + ms - performance.now()), undefined, { ref: false });
      return text;
    },
  };
}

/** Holds requests, or lines of watches, until it is released. */
export class Gate {
  private open: () => void = () => undefined;
  private readonly opened = new Promise<void>((resolve) => {
    this.open = resolve;
  });

  release(): void {
    this.open();
  }

  get requests(): Fault {
    return {
      request: async () => {
        await this.opened;
        return undefined;
      },
    };
  }

  /** After commit. */
  get responses(): Fault {
    return {
      response: async (_call, reply) => {
        await this.opened;
        return reply;
      },
    };
  }

  get lines(): Fault {
    return {
      line: async ({ text }) => {
        await this.opened;
        return text;
      },
    };
  }
}

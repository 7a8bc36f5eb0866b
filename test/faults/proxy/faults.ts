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

/** Never answers. The server does not see the request. */
export const neverAnswer: Fault = { request: async () => 'hang' };

/** Closes the connection after the server has stored the write. */
export const loseResponse: Fault = { response: async () => 'reset' };

/** Replaces lines of watches. */
export function editLines(edit: (line: WatchLine) => LineReplacement | string): Fault {
  return { line: async (line) => edit(line) };
}

/** Holds requests, or lines of watches, until it is released. */
export class Gate {
  private open: () => void = () => undefined;
  /** Resolves when it is released. */
  readonly opened = new Promise<void>((resolve) => {
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

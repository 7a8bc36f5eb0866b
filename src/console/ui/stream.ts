import { signal } from '@preact/signals';
import { ConsoleApiError, request } from './api.js';
import { SseParser, type ServerEvent } from './sse-parser.js';

/** `ended` is final: the operator does not accept the token. `paused` is the state of a tab that has been hidden. */
export type ConnectionState = 'connecting' | 'live' | 'lost' | 'paused' | 'ended';

export interface Connection {
  readonly state: ConnectionState;
  /** Why the connection was lost or ended. */
  readonly reason?: string;
  /** The time of the next attempt. */
  readonly retryAtMs?: number;
}

export const connection = signal<Connection>({ state: 'connecting' });

const HIDDEN_MS = 30_000;
/** The operator sends a comment each 15 s. */
const SILENCE_MS = 40_000;
const FIRST_DELAY_MS = 500;
const MAX_DELAY_MS = 30_000;

/**
 * Receives the events of the operator in one request for the whole tab, and repeats it until the token is rejected.
 *
 * The request ends 30 s after the tab is hidden, because a browser opens at most 6 connections to an origin; it resumes
 * after the last received event.
 */
export function followEvents(topics: readonly string[], onEvent: (event: ServerEvent) => void): void {
  let lastId = '';
  let attempt = 0;
  let controller = new AbortController();
  let retry = 0;
  let hide = 0;

  const connect = async () => {
    controller = new AbortController();
    if (attempt === 0) connection.value = { state: 'connecting' };
    try {
      await read(controller, topics, lastId, (event, id) => {
        if (id !== '') lastId = id;
        if (!event) return;
        attempt = 0;
        if (connection.value.state !== 'live') connection.value = { state: 'live' };
        onEvent(event);
      });
      reconnect('the operator closed the connection');
    } catch (error) {
      if (controller.signal.reason === 'hidden') return;
      if (error instanceof ConsoleApiError && (error.status === 401 || error.status === 403)) {
        connection.value = { state: 'ended', reason: error.message };
        return;
      }
      reconnect(lostBecause(error, controller.signal));
    }
  };
  const reconnect = (reason: string) => {
    const delayMs = Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** attempt) * (0.5 + Math.random() / 2);
    attempt += 1;
    connection.value = { state: 'lost', reason, retryAtMs: Date.now() + delayMs };
    retry = window.setTimeout(() => void connect(), delayMs);
  };
  document.addEventListener('visibilitychange', () => {
    window.clearTimeout(hide);
    if (document.hidden) {
      hide = window.setTimeout(() => {
        if (connection.value.state === 'ended') return;
        window.clearTimeout(retry);
        connection.value = { state: 'paused' };
        controller.abort('hidden');
      }, HIDDEN_MS);
    } else if (connection.value.state === 'paused') {
      attempt = 0;
      void connect();
    }
  });
  void connect();
}

async function read(
  controller: AbortController,
  topics: readonly string[],
  lastId: string,
  /** Called with each event, and after a chunk without one for the id that was received last. */
  onReceived: (event: ServerEvent | undefined, lastId: string) => void,
): Promise<void> {
  const headers = lastId ? { 'last-event-id': lastId } : {};
  const response = await request(`stream?topics=${topics.join(',')}`, { headers, signal: controller.signal });
  const parser = new SseParser();
  let silence = 0;
  const listen = () => {
    window.clearTimeout(silence);
    silence = window.setTimeout(() => {
      controller.abort('silent');
    }, SILENCE_MS);
  };
  listen();
  try {
    const chunks = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    for (let chunk = await chunks?.read(); chunk && !chunk.done; chunk = await chunks?.read()) {
      listen();
      for (const event of parser.push(chunk.value)) onReceived(event, event.id);
      onReceived(undefined, parser.lastId);
    }
  } finally {
    window.clearTimeout(silence);
  }
}

function lostBecause(error: unknown, { reason }: AbortSignal): string {
  if (reason === 'silent') return 'the operator has sent nothing for 40 s; it may be blocked or suspended';
  if (error instanceof ConsoleApiError) return error.message;
  return 'the operator does not answer; it may have stopped';
}

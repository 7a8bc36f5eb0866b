import type { IncomingMessage } from 'node:http';
import type { Clock } from '../../../base/clock.js';

/** The default of kube-apiserver's --request-timeout. */
const BODY_TIMEOUT_MS = 60_000;

/** Calls `onTimeout` when a client has not sent the complete body of a request in time. */
export function limitBody(message: IncomingMessage, clock: Clock, onTimeout: () => void): void {
  if (message.method === 'GET' || message.method === 'HEAD') return;
  const cancel = clock.schedule(BODY_TIMEOUT_MS, onTimeout);
  message.once('end', cancel);
  message.once('close', cancel);
}

import { setTimeout as delay } from 'node:timers/promises';

interface Reply {
  readonly code: number;
  readonly body: unknown;
}

const POLL_MS = 50;
const TRIES = 1200;

/**
 * Sends a request again while the API server fills the cache of its kind: it responds with 429 to all requests for a custom
 * kind whose definition has just changed, before it handles them. Clients of Kubernetes wait, too.
 */
export async function untilInitialized<T extends Reply>(send: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    const reply = await send();
    if (!isInitializing(reply) || tries === TRIES) return reply;
    await delay(POLL_MS);
  }
}

function isInitializing({ code, body }: Reply): boolean {
  return code === 429 && JSON.stringify(body).includes('storage is (re)initializing');
}

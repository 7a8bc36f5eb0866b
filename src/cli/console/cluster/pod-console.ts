import type { IncomingMessage } from 'node:http';
import { Agent, get } from 'node:https';
import type { Duplex } from 'node:stream';
import { text } from 'node:stream/consumers';
import { connect } from 'node:tls';
import type { Clock } from '../../../base/clock.js';
import { isJsonObject } from '../../../base/json-object.js';
import { OperatorError } from '../../../base/operator-error.js';
import { parseJson } from '../../../base/json.js';
import { thrownError } from '../../../base/thrown-error.js';
import type { PodStreams } from '../../../client/pods/pod-stream-options.js';
import type { Hello } from '../../../console/wire.js';
import type { ConsolePod } from './console-pods.js';
import type { ConsoleToken } from './console-token.js';

const MOST_CONNECTIONS = 16;
/** A forwarded connection can lose its pod without an error. */
const ANSWER_MS = 30_000;

/**
 * Opens connections to a port of a pod through the API server. The operator's certificate is self-signed and not verified: the
 * kubelet connects to the pod itself.
 */
class PodAgent extends Agent {
  constructor(private readonly forward: () => Promise<Duplex>) {
    super({ keepAlive: true, maxSockets: MOST_CONNECTIONS });
  }

  override createConnection(_: unknown, callback: (error: Error | null, stream: Duplex) => void): undefined {
    const fail = (error: unknown): void => {
      callback(thrownError(error), NO_STREAM);
    };
    this.forward().then((stream) => {
      const socket = connect({ socket: stream, rejectUnauthorized: false });
      socket.once('error', fail);
      socket.once('secureConnect', () => {
        socket.off('error', fail);
        callback(null, socket);
      });
    }, fail);
  }
}

/** Not read after an error. */
const NO_STREAM = undefined as unknown as Duplex;

/** The console of a pod, reached through the API server. */
export class PodConsole {
  private readonly agent: PodAgent;

  constructor(
    readonly pod: ConsolePod,
    streams: Pick<PodStreams, 'portForward'>,
    private readonly token: ConsoleToken,
    private readonly clock: Clock,
  ) {
    this.agent = new PodAgent(() => streams.portForward(pod.name, pod.port));
  }

  /** Requests a path below `/api/v1/`; the response may have any status. Rejects without an answer in 30 seconds. */
  async get(path: string, headers: Readonly<Record<string, string>> = {}): Promise<IncomingMessage> {
    const authorization = await this.token.header();
    return new Promise((resolve, reject) => {
      const options = { agent: this.agent, headers: { ...headers, authorization } };
      const request = get(`https://localhost:${this.pod.port}/api/v1/${path}`, options);
      const cancel = this.clock.schedule(ANSWER_MS, () => {
        const error = new Error(`no answer within ${ANSWER_MS / 1000} s`);
        reject(error); // without a connection, the request reports no error
        request.destroy(error);
      });
      request.once('close', cancel);
      request.once('response', (response) => {
        cancel();
        resolve(response);
      });
      request.once('error', reject);
    });
  }

  /** @throws OperatorError (E_CONSOLE) if the operator refuses the user. */
  async hello(): Promise<Hello> {
    const response = await this.get('hello');
    const body = await text(response);
    if (response.statusCode === 200) return parseJson(body) as Hello;
    const problem = parseJson(body);
    const { error = '', hint } = isJsonObject(problem) ? (problem as { error?: string; hint?: string }) : {};
    throw new OperatorError(`pod ${this.pod.name}: ${error}`, { code: 'E_CONSOLE', hint });
  }

  close(): void {
    this.agent.destroy();
  }
}

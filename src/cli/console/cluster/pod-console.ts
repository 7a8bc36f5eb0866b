import type { IncomingMessage } from 'node:http';
import { get } from 'node:https';
import { text } from 'node:stream/consumers';
import { isJsonObject } from '../../../base/json-object.js';
import { OperatorError } from '../../../base/operator-error.js';
import { parseJson } from '../../../base/json.js';
import type { PodStreams } from '../../../client/pod-stream-options.js';
import type { Hello } from '../../../console/wire.js';
import type { ConsolePod } from './console-pods.js';
import type { ConsoleToken } from './console-token.js';
import { PodAgent } from './pod-agent.js';

/** The console of a pod, reached through the API server. */
export class PodConsole {
  private readonly agent: PodAgent;

  constructor(
    readonly pod: ConsolePod,
    streams: Pick<PodStreams, 'portForward'>,
    private readonly token: ConsoleToken,
  ) {
    this.agent = new PodAgent(() => streams.portForward(pod.name, pod.port));
  }

  /** Requests a path below `/api/v1/`; the response may have any status. */
  async get(path: string, headers: Readonly<Record<string, string>> = {}): Promise<IncomingMessage> {
    const authorization = await this.token.header();
    return new Promise((resolve, reject) => {
      const options = { agent: this.agent, headers: { ...headers, authorization } };
      get(`https://localhost:${this.pod.port}/api/v1/${path}`, options, resolve).once('error', reject);
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

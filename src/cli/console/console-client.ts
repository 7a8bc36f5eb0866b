import { OperatorError } from '../../base/operator-error.js';
import { thrownError } from '../../base/thrown-error.js';
import { runningConsoles } from '../../console/running-console-file.js';
import type { ApiProblem } from '../../console/wire.js';

/** Command-line options that choose a console. */
export interface ConsoleChoice {
  /** With its token, as the operator printed it. */
  readonly url?: string;
}

const TIMEOUT_MS = 15_000;

/** Requests JSON from the API of a running console. */
export class ConsoleClient {
  private constructor(
    private readonly origin: string,
    private readonly token: string,
  ) {}

  /**
   * Finds the console with the URL, otherwise the last one that this user has started.
   *
   * @throws OperatorError (E_CONSOLE) without a running console.
   */
  static open({ url }: ConsoleChoice): ConsoleClient {
    if (url !== undefined) {
      const [, origin = '', token = ''] = /^(https?:\/\/[^/#]+)\/?#t=([\w-]+)/.exec(url) ?? [];
      if (origin !== '') return new ConsoleClient(origin, token);
      throw new OperatorError(`${url.slice(0, 100)} is not the URL of a console`, {
        code: 'E_CONSOLE',
        hint: 'pass the URL that the operator printed, such as http://127.0.0.1:4191/#t=…',
      });
    }
    const [newest] = runningConsoles();
    if (newest) return new ConsoleClient(newest.url, newest.token);
    throw new OperatorError('no operator with a console is running on this machine', {
      code: 'E_CONSOLE',
      hint: 'start one with run-operator --embedded or run-operator --console',
    });
  }

  async get<T>(path: string): Promise<T> {
    let response: Response;
    try {
      const headers = { authorization: `Bearer ${this.token}` };
      response = await fetch(`${this.origin}/api/v1/${path}`, { headers, signal: AbortSignal.timeout(TIMEOUT_MS) });
    } catch (cause) {
      throw new OperatorError(`the console at ${this.origin} cannot be reached: ${thrownError(cause).message}`, {
        code: 'E_CONSOLE',
        hint: 'check that the operator is running and not blocked',
        cause,
      });
    }
    if (response.ok) return (await response.json()) as T;
    const { error, hint } = (await response.json()) as ApiProblem;
    throw new OperatorError(error, { code: 'E_CONSOLE', hint });
  }
}

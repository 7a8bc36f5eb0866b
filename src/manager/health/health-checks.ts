import type { Clock } from '../../base/clock.js';
import type { Duration } from '../../base/duration.js';
import type { Logger } from '../../base/logger.js';
import { optionMs } from '../../base/option-ms.js';
import { OperatorError } from '../../base/operator-error.js';
import { renamedError } from '../../base/renamed.js';
import type { Answer, Routes } from '../http-endpoint.js';

/**
 * A check that succeeds when it returns, and fails when it throws or exceeds its time limit. The signal is aborted at the
 * limit. It is called for each request of a probe, and never while its previous call runs.
 */
export type HealthCheck = (signal: AbortSignal) => Promise<void> | void;

/** Options of a health or readiness check. */
export interface HealthCheckOptions {
  /**
   * Time limit. Default 800 ms: by default, the kubelet waits one second for the response of a probe. Raise
   * `timeoutSeconds` of the probe together with this.
   */
  readonly timeout?: Duration | undefined;
}

/** A path that checks belong to. */
export type CheckedPath = '/healthz' | '/readyz';

type Handler = Routes[string];

const TIMEOUT_MS = 800;
const CHECK_NAME = /^[a-zA-Z0-9](?:[a-zA-Z0-9._-]*[a-zA-Z0-9])?$/;

/**
 * The checks of an operator, and the routes that run them: those of `/healthz` and `/readyz`, and of each check at
 * `/readyz/<name>`. Responses and log name the failed checks without their errors, which can contain secrets.
 */
export class HealthChecks {
  private readonly checks: Record<CheckedPath, RunningCheck[]> = { '/healthz': [], '/readyz': [] };
  private readonly handlers: Record<string, Handler> = {};

  constructor(
    private readonly clock: Clock,
    private readonly logger: Logger,
  ) {}

  /** @throws OperatorError for a name that is invalid or already in use at the path. */
  add(path: CheckedPath, name: string, check: HealthCheck, options: HealthCheckOptions = {}): void {
    if (!CHECK_NAME.test(name)) throw invalid(path, name, 'the name must consist of letters, digits, - . and _');
    if (this.checks[path].some((other) => other.name === name))
      throw invalid(path, name, 'another check has this name');
    if ((options as { readonly timeoutMs?: unknown }).timeoutMs !== undefined)
      throw renamedError('timeoutMs', `timeout: '500ms'`);
    const timeoutMs = optionMs('timeout', options.timeout, TIMEOUT_MS);
    if (timeoutMs === 0) throw invalid(path, name, 'timeout must be more than 0');
    const added = new RunningCheck(path, name, check, { timeoutMs, clock: this.clock, logger: this.logger });
    this.checks[path].push(added);
    this.handlers[`${path}/${name}`] = async () => answerOf([await added.run()]);
  }

  /** The given routes with the results of the checks; a check that is added later has a route too. */
  routes(own: Routes): Routes {
    for (const [path, handler] of Object.entries(own)) {
      const checks = this.checks[path as CheckedPath];
      this.handlers[path] = async (request, signal) => {
        const [answer, results] = await Promise.all([
          handler(request, signal),
          Promise.all(checks.map((check) => check.run())),
        ]);
        const isFailed = results.some(({ isOk }) => !isOk);
        if (!isFailed && !/[?&]verbose(?:[=&]|$)/.test(request.url ?? '')) return answer;
        const status = isFailed ? 503 : answer.status;
        const rest = isFailed && answer.status === 200 ? '' : answer.text;
        return { ...answer, status, text: `${results.map(line).join('')}${rest}` };
      };
    }
    return this.handlers;
  }
}

interface CheckResult {
  readonly name: string;
  readonly isOk: boolean;
}

/** One check with its running call and its last result. */
class RunningCheck {
  private call: Promise<boolean> | undefined;
  private result: Promise<CheckResult> | undefined;
  private wasOk = true;

  constructor(
    private readonly path: CheckedPath,
    readonly name: string,
    private readonly check: HealthCheck,
    private readonly options: { readonly timeoutMs: number; readonly clock: Clock; readonly logger: Logger },
  ) {}

  /** Never rejects. Simultaneous requests share a call; one that ignores its signal fails until it has ended. */
  async run(): Promise<CheckResult> {
    if (this.call && !this.result) return this.record(false, 'timed out');
    this.result ??= this.limited().finally(() => (this.result = undefined));
    return this.result;
  }

  private async limited(): Promise<CheckResult> {
    const { clock, timeoutMs } = this.options;
    const timeout = new AbortController();
    let reason = 'threw an error';
    const call = (async () => this.check(timeout.signal))().then(
      () => true,
      () => false,
    );
    this.call = call;
    void call.then(() => (this.call = undefined));
    const limit = new Promise<boolean>((resolve) => {
      const cancel = clock.schedule(timeoutMs, () => {
        reason = `timed out after ${timeoutMs} ms`;
        timeout.abort(new Error(`the check ${this.name} ${reason}`));
        resolve(false);
      });
      void call.then(cancel);
    });
    return this.record(await Promise.race([call, limit]), reason);
  }

  /** Logs changes only: probes run every few seconds. */
  private record(isOk: boolean, reason: string): CheckResult {
    const { logger } = this.options;
    if (this.wasOk && !isOk) logger.warn(`The check ${this.name} of ${this.path} failed`, { check: this.name, reason });
    if (!this.wasOk && isOk) logger.info(`The check ${this.name} of ${this.path} succeeds again`, { check: this.name });
    this.wasOk = isOk;
    return { name: this.name, isOk };
  }
}

/** The format of controller-runtime. */
function line({ name, isOk }: CheckResult): string {
  return isOk ? `[+]${name} ok\n` : `[-]${name} failed: reason withheld\n`;
}

function answerOf(results: readonly CheckResult[]): Answer {
  const isOk = results.every((result) => result.isOk);
  return isOk ? { status: 200, text: 'ok\n' } : { status: 503, text: results.map(line).join('') };
}

function invalid(path: string, name: string, problem: string): OperatorError {
  return new OperatorError(`cannot add the check '${name}' to ${path}: ${problem}`, {
    code: 'E_START',
    hint: 'choose another name, such as database',
  });
}

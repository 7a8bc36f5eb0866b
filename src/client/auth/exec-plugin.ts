import { readFile } from 'node:fs/promises';
import type { Clock } from '../../base/clock.js';
import { OperatorError } from '../../base/operator-error.js';
import type { ClientCertificate } from '../config/tls-config.js';
import type { ExecConfig } from '../config/auth-config.js';
import type { Credentials } from './credentials.js';
import { isSameCredential, parseExecCredential, type ExecCredential } from './exec-credential.js';
import { runProgram } from './run-program.js';

const TIMEOUT_MS = 60_000;
const MAX_OUTPUT_BYTES = 1 << 20;

/** The time until the program runs again for a credential that has expired, or was rejected, since its last run. */
const MIN_AGE_MS = 10_000;

/**
 * Credentials from a program (see "client-go credential plugins" on kubernetes.io).
 *
 * Concurrent requests share one run. The program runs again when its credential expires or is rejected, but not
 * immediately for one that it has printed again: a program with a cache, or with another clock, would run for each
 * request.
 */
export class ExecPlugin implements Credentials {
  #credential: ExecCredential | undefined;
  #rejected: ExecCredential | undefined;
  private obtainedAtMs = 0;
  private running: Promise<ExecCredential> | undefined;

  constructor(
    private readonly config: ExecConfig,
    private readonly clock: Clock,
  ) {}

  authorization(): string | undefined | Promise<string | undefined> {
    const fresh = this.fresh();
    return fresh ? fresh.authorization : this.run().then(({ authorization }) => authorization);
  }

  async clientCertificate(): Promise<ClientCertificate | undefined> {
    return (this.fresh() ?? (await this.run())).clientCertificate;
  }

  reject(authorization: string | undefined): boolean {
    const credential = this.#credential;
    if (!credential || credential.authorization !== authorization) return true;
    if (this.#rejected && isSameCredential(credential, this.#rejected) && this.isYoung) return false;
    this.#rejected = credential;
    this.#credential = undefined;
    return true;
  }

  private fresh(): ExecCredential | undefined {
    const credential = this.#credential;
    return credential && (credential.expiresAtMs > this.clock.now() || this.isYoung) ? credential : undefined;
  }

  private get isYoung(): boolean {
    return this.clock.monotonic() - this.obtainedAtMs < MIN_AGE_MS;
  }

  private run(): Promise<ExecCredential> {
    this.running ??= this.obtain().finally(() => {
      this.running = undefined;
    });
    return this.running;
  }

  private async obtain(): Promise<ExecCredential> {
    const { command, args, env, apiVersion, installHint } = this.config;
    const interactive = this.isInteractive();
    const cluster = await this.cluster();
    const spec = { interactive, ...(cluster && { cluster }) };
    const info = JSON.stringify({ kind: 'ExecCredential', apiVersion, spec });
    const output = await runProgram(
      command,
      args.map((arg) => arg.reveal()),
      {
        env: {
          ...Object.fromEntries([...env].map(([name, value]) => [name, value.reveal()])),
          KUBERNETES_EXEC_INFO: info,
        },
        interactive,
        timeoutMs: TIMEOUT_MS,
        maxOutputBytes: MAX_OUTPUT_BYTES,
        clock: this.clock,
        hint: installHint,
      },
    );
    this.#credential = parseExecCredential(output, command, apiVersion);
    this.obtainedAtMs = this.clock.monotonic();
    return this.#credential;
  }

  /** The cluster as the program receives it: with the contents of a CA file, which may change. */
  private async cluster(): Promise<Readonly<Record<string, unknown>> | undefined> {
    const { clusterInfo, clusterCaFile: file } = this.config;
    if (!clusterInfo) return undefined;
    const cluster = JSON.parse(clusterInfo.reveal()) as Readonly<Record<string, unknown>>;
    if (file === undefined) return cluster;
    try {
      return { ...cluster, 'certificate-authority-data': await readFile(file, 'base64') };
    } catch (error) {
      throw new OperatorError(`certificate-authority ${file} cannot be read: ${(error as Error).message}`, {
        code: 'E_CONFIG',
        cause: error,
      });
    }
  }

  private isInteractive(): boolean {
    const { interactiveMode, command } = this.config;
    const hasTerminal = (process.stdin.isTTY as boolean | undefined) === true;
    if (interactiveMode === 'Always' && !hasTerminal) {
      throw new OperatorError(
        `credential plugin ${command} requires a terminal, but standard input is not a terminal`,
        {
          code: 'E_EXEC_PLUGIN',
        },
      );
    }
    return interactiveMode !== 'Never' && hasTerminal;
  }
}

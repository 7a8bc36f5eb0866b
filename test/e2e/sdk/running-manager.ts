import { Manager, type Client } from 'kindwright';
import type { ManagerOptions } from '../../../src/manager/manager-options.js';
import { SystemClock } from '../../../src/base/system-clock.js';
import { eventually } from '../../../src/testing/eventually.js';
import { installModels } from '../../../src/manager/install/install-models.js';
import { buildResourceModels } from '../../../src/resource/build-models.js';
import type { LogLine } from '../../../src/testing/line-logger.js';
import { RecordingLogger } from '../../../src/testing/recording-logger.js';
import { TIME_FACTOR } from '../../time-limits.js';

type ResourceClass = abstract new () => object;

/** What cannot reach the server waits up to 30 seconds between two attempts, where that is away for long enough. */
const PATIENCE = { timeout: '50s' };

/** A manager that runs in the process of the test. */
export class RunningManager {
  readonly logger = new RecordingLogger();
  private readonly abort = new AbortController();
  readonly ended: Promise<void>;

  constructor(client: Client, classes: readonly ResourceClass[], options: Partial<ManagerOptions> = {}) {
    const manager = new Manager({ client, logger: this.logger, ...options });
    for (const target of classes) manager.add(target);
    this.ended = manager.run(this.abort.signal);
    this.ended.catch(() => undefined);
  }

  /** Starts one and waits for the workers of every class. */
  static async start(
    client: Client,
    classes: readonly ResourceClass[],
    options?: Partial<ManagerOptions>,
  ): Promise<RunningManager> {
    const manager = new RunningManager(client, classes, options);
    await manager.workersStarted(classes.length);
    return manager;
  }

  workersStarted(controllers = 1): Promise<void> {
    return eventually(() => {
      const started = this.logger.messages().filter((message) => message === 'Started workers');
      if (started.length < controllers) throw new Error(`no workers in:\n${this.logger.messages().join('\n')}`);
    }, PATIENCE);
  }

  logged(pattern: RegExp): Promise<LogLine> {
    return eventually(() => {
      const line = this.logger.lines.find(({ message }) => pattern.test(message));
      if (line) return line;
      throw new Error(`no line matches ${String(pattern)} in:\n${this.logger.messages().join('\n')}`);
    }, PATIENCE);
  }

  async stop(): Promise<void> {
    this.abort.abort(new Error('stopped by the test'));
    await this.ended;
  }
}

export async function installKinds(client: Client, classes: readonly ResourceClass[]): Promise<void> {
  const signal = AbortSignal.timeout(20_000 * TIME_FACTOR);
  const { logger } = { logger: new RecordingLogger() };
  await installModels(client, buildResourceModels(classes), { logger, clock: new SystemClock(), signal });
}

import { ProcessState } from './process-state.ts';
import type { SuiteEnvironment, SuiteRuntime } from './jest-internals.ts';

/** The heap above which the next suite gets a new environment. */
const MOST_HEAP_BYTES = 700 * 2 ** 20;

/** ES modules with these URLs stay loaded for the next suite. */
const KEPT = /^node:|^file:.*\/(?:node_modules|src)\//;

/** jest and `kindwright/testing` keep the state of a suite in global properties with these symbols. */
const OF_SUITE = new Set([
  'EVENT_HANDLERS',
  'JEST_STATE_SYMBOL',
  'LOG_ERRORS_BEFORE_RETRY',
  'RETRY_IMMEDIATELY',
  'RETRY_TIMES',
  'TEST_TIMEOUT_SYMBOL',
  'WAIT_BEFORE_RETRY',
  'kindwright.test-run',
]);

/** An environment of jest in which suites run one after the other. They share loaded modules of `src/` and packages. */
export class SharedEnvironment {
  /** The suites of other projects have other settings. */
  readonly project: string;
  readonly environment: SuiteEnvironment;
  readonly runtime: SuiteRuntime;
  private readonly state: ProcessState;
  private readonly teardown: () => Promise<void>;

  constructor(project: string, environment: SuiteEnvironment, runtime: SuiteRuntime) {
    this.project = project;
    this.environment = environment;
    this.runtime = runtime;
    this.state = new ProcessState(environment);
    const [endEnvironment, endRuntime] = [environment.teardown.bind(environment), runtime.teardown.bind(runtime)];
    this.teardown = () => {
      endRuntime();
      return endEnvironment();
    };
    // jest ends the environment after its first suite.
    environment.teardown = () => Promise.resolve();
    runtime.teardown = () => undefined;
  }

  get isFull(): boolean {
    return process.memoryUsage().heapUsed > MOST_HEAP_BYTES;
  }

  /** Prepares the next suite, for which jest has made an environment and a runtime that are not used. */
  enter(path: string, environment: SuiteEnvironment, unused: SuiteRuntime): void {
    const { runtime } = this;
    this.environment.global['console'] = environment.global['console'];
    // jest reads the source maps of the unused runtime.
    const sourceMaps = unused.getSourceMaps();
    for (const [file, map] of runtime.getSourceMaps()) sourceMaps.set(file, map);
    runtime.transformCache.sourceMaps = sourceMaps;
    runtime._testPath = path;
    runtime.esmLoader.testPath = path;
    runtime.executor.testPath = path;
    runtime.testState.state = 'loading';
  }

  /** Undoes what the suite changed and unloads its modules. */
  leave(): void {
    const { environment, runtime } = this;
    environment.fakeTimersModern.useRealTimers();
    runtime.restoreAllMocks();
    this.state.restore();
    const { esModuleRegistry, internalModuleRegistry } = runtime.registries;
    for (const url of esModuleRegistry.keys()) if (!KEPT.test(url)) esModuleRegistry.delete(url);
    runtime.fileCache.clear();
    runtime.transformCache.clear();
    // This module keeps the tests and hooks of a suite.
    for (const file of internalModuleRegistry.keys()) {
      if (file.endsWith('jestAdapterInit.js')) internalModuleRegistry.delete(file);
    }
    for (const symbol of Object.getOwnPropertySymbols(environment.global)) {
      if (OF_SUITE.has(symbol.description ?? '')) Reflect.deleteProperty(environment.global, symbol);
    }
    environment._globalProxy.leftovers = [];
  }

  async end(): Promise<void> {
    await this.teardown();
  }
}

import { createRequire } from 'node:module';

/** The parts of jest that the runner uses. Most are not public, so that an update of jest may change them. */
export interface SuiteEnvironment {
  readonly global: Record<PropertyKey, unknown> & { process: NodeJS.Process };
  readonly fakeTimersModern: { useRealTimers(): void };
  /** `leftovers` are deleted global properties. */
  readonly _globalProxy: { leftovers: unknown[] };
  teardown(): Promise<void>;
}

interface ModuleRegistries {
  /** By URL, except for `@jest/globals/IMPORTER`. */
  readonly esModuleRegistry: Map<string, unknown>;
  /** Modules of jest itself, by path. */
  readonly internalModuleRegistry: Map<string, unknown>;
}

export interface SuiteRuntime {
  _testPath: string;
  readonly esmLoader: { testPath: string };
  readonly executor: { testPath: string };
  readonly testState: { state: 'loading' | 'inTest' | 'betweenTests' | 'tornDown' };
  readonly registries: ModuleRegistries;
  readonly fileCache: { clear(): void };
  readonly transformCache: { sourceMaps: Map<string, string>; clear(): void };
  getSourceMaps(): Map<string, string>;
  restoreAllMocks(): void;
  teardown(): void;
}

interface RunOptions {
  readonly collectCoverage: boolean;
  readonly watch: boolean;
  readonly watchAll: boolean;
}

interface ProjectOptions {
  readonly id: string;
}

/** The signature of jest's option `testRunner`. */
export type SuiteRunner = (
  options: RunOptions,
  project: ProjectOptions,
  environment: SuiteEnvironment,
  runtime: SuiteRuntime,
  path: string,
  sendMessage?: unknown,
) => Promise<unknown>;

const { default: circus } = createRequire(import.meta.url)('jest-circus/runner') as { default: SuiteRunner };

/** The runner of jest, which runs each suite in the environment that it is given. */
export const runSuite = circus;

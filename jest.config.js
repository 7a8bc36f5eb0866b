import { availableParallelism } from 'node:os';
import { join } from 'node:path';

// Commands run in new folders, without what the engine has compiled of them before; here all of them share it.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, 'node_modules', '.cache', 'kindwright', 'v8');

// Projects of users get the packages as they were on this day, so that a release of others does not fail a test. It must not
// precede the versions in package.json.
process.env.npm_config_before ??= '2026-11-25';

const swc = {
  jsc: {
    target: 'es2023',
    parser: { syntax: 'typescript', decorators: true },
    transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
  },
  module: { type: 'es6' },
  sourceMaps: true,
};

const common = {
  // Suites of one process of jest share an environment; see test/README.md.
  testRunner: '<rootDir>/test/suite-runner/main.ts',
  testEnvironment: 'node',
  extensionsToTreatAsEsm: ['.ts'],
  transform: {
    // As users compile them, so that declared types and doc comments are part of the schema.
    '/(operators|docs/examples|test/simulation/(mutants|sound))/[^/]+\\.ts$':
      '<rootDir>/dist/test-runners/jest-transformer.js',
    '^.+\\.ts$': ['@swc/jest', swc],
    // Before Node 24.9, jest cannot load an ES module by require.
    '/@marcbachmann/cel-js/.+\\.js$': '<rootDir>/dist/test-runners/jest-transformer.js',
  },
  transformIgnorePatterns: ['/node_modules/(?!(.*/)?@marcbachmann/cel-js/)'],
  moduleNameMapper: {
    // Before the rule for all modules: longer timeouts on a slow or busy machine.
    ...(Number(process.env.TEST_TIME_FACTOR ?? 1) > 1 && {
      '^(?:\\./|(?:\\.\\./)+src/)testing/eventually\\.js$': '<rootDir>/test/scaled-eventually.ts',
    }),
    // Its worker thread loads modules without the transforms of jest.
    '^(?:\\.{1,2}/)+world/simulate-plan\\.js$': '<rootDir>/dist/simulation/world/simulate-plan.js',
    '^kindwright$': '<rootDir>/src/index.ts',
    '^kindwright/definitions$': '<rootDir>/src/definitions.ts',
    '^kindwright/testing$': '<rootDir>/src/testing.ts',
    '^(\\.{1,2}/.*)\\.js$': '$1',
    '^fast-check$': '<rootDir>/test/fast-check.ts',
  },
  modulePathIgnorePatterns: ['<rootDir>/dist/', '/fixtures/'],
};

const controlPlane = {
  globalSetup: '<rootDir>/test/controlplane/jest-setup.ts',
  setupFilesAfterEnv: ['<rootDir>/test/controlplane/jest-timeout.ts'],
};

/** Suites on real control planes, which are used again by the next suites. */
const pooledControlPlane = {
  ...controlPlane,
  globalSetup: '<rootDir>/test/controlplane/jest-pool.ts',
  globalTeardown: '<rootDir>/test/controlplane/jest-pool-end.ts',
};

/**
 * `unit` needs nothing but Node; `browser` needs Chromium; `package` and `tutorial` install the packed package;
 * `durability` kills servers; `cluster` and `conformance` start real control planes.
 * The suites in test/e2e test the SDK. They run in `unit` on the embedded server and in `cluster` on the real one; those
 * in sdk and admission, which need kubectl or take long, in `embedded` instead of `unit`.
 * `certificates` and `strangers` take minutes, and `controlplane` tests the tools that start control planes; they are apart
 * from `embedded` and `cluster`, so that the gate is short. The suites in test/e2e/commands run the commands of pages and
 * manifests by kubectl and Helm. They run in `cluster` on the real server, and in `commands` on the embedded one.
 * The suites in test/conformance compare the embedded server with Kubernetes. They run on each of them; those in
 * differential send the same requests to both.
 */
export default {
  // One more than processors, because suites wait in part.
  maxWorkers: availableParallelism() + 1,
  testSequencer: '<rootDir>/test/gate/slowest-first.mjs',
  projects: [
    {
      ...common,
      displayName: 'unit',
      testMatch: ['<rootDir>/test/**/*.test.ts'],
      globals: { E2E_SERVER: 'embedded' },
      testPathIgnorePatterns: [
        '/test/browser/',
        '/test/cluster/',
        '/test/conformance/',
        '/test/e2e/(sdk|admission|certificates|commands)/',
        '/test/durability/',
        '/test/faults/',
        '/test/package/',
        '/test/tutorial/',
      ],
      setupFilesAfterEnv: ['<rootDir>/test/jest-timeout.ts'],
    },
    {
      ...common,
      displayName: 'browser',
      testMatch: ['<rootDir>/test/browser/**/*.test.ts'],
      setupFilesAfterEnv: ['<rootDir>/test/jest-timeout.ts'],
    },
    { ...common, displayName: 'package', testMatch: ['<rootDir>/test/package/**/*.test.ts'] },
    { ...common, displayName: 'tutorial', testMatch: ['<rootDir>/test/tutorial/*.test.ts'] },
    {
      ...common,
      displayName: 'durability',
      testMatch: ['<rootDir>/test/durability/**/*.test.ts'],
      setupFilesAfterEnv: ['<rootDir>/test/jest-timeout.ts'],
    },
    {
      ...common,
      ...controlPlane,
      displayName: 'faults',
      testMatch: ['<rootDir>/test/faults/*.test.ts'],
      globals: { E2E_SERVER: process.env.FAULT_SERVER ?? 'real' },
      setupFilesAfterEnv: ['<rootDir>/test/faults/jest-timeout.ts'],
    },
    {
      ...common,
      ...controlPlane,
      displayName: 'embedded',
      testMatch: ['<rootDir>/test/e2e/{sdk,admission}/**/*.test.ts'],
      globals: { E2E_SERVER: 'embedded' },
    },
    {
      ...common,
      ...pooledControlPlane,
      displayName: 'cluster',
      testMatch: ['<rootDir>/test/{cluster,e2e}/**/*.test.ts'],
      testPathIgnorePatterns: ['/test/cluster/(strangers|controlplane)/', '/test/e2e/certificates/'],
      globals: { E2E_SERVER: 'real' },
    },
    {
      ...common,
      ...controlPlane,
      displayName: 'controlplane',
      testMatch: ['<rootDir>/test/cluster/controlplane/*.test.ts'],
    },
    {
      ...common,
      ...controlPlane,
      displayName: 'commands',
      testMatch: ['<rootDir>/test/e2e/commands/*.test.ts'],
      globals: { E2E_SERVER: 'embedded' },
    },
    {
      ...common,
      ...controlPlane,
      displayName: 'strangers',
      testMatch: ['<rootDir>/test/cluster/strangers/*.test.ts'],
      globals: { E2E_SERVER: 'real' },
    },
    {
      ...common,
      ...controlPlane,
      displayName: 'certificates-embedded',
      testMatch: ['<rootDir>/test/e2e/certificates/*.test.ts'],
      globals: { E2E_SERVER: 'embedded' },
    },
    {
      ...common,
      ...controlPlane,
      displayName: 'certificates',
      testMatch: ['<rootDir>/test/e2e/certificates/*.test.ts'],
      globals: { E2E_SERVER: 'real' },
    },
    {
      ...common,
      ...controlPlane,
      displayName: 'conformance-embedded',
      testMatch: ['<rootDir>/test/conformance/{admission,controllers,server,workloads}/**/*.test.ts'],
      globals: { E2E_SERVER: 'embedded' },
    },
    {
      ...common,
      ...controlPlane,
      displayName: 'conformance',
      testMatch: ['<rootDir>/test/conformance/**/*.test.ts'],
      globals: { E2E_SERVER: 'real' },
    },
  ],
};

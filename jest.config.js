import { join } from 'node:path';

// Commands run in new folders, without what the engine has compiled of them before; here all of them share it.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, 'node_modules', '.cache', 'kindwright', 'v8');

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
  testEnvironment: 'node',
  extensionsToTreatAsEsm: ['.ts'],
  transform: {
    // As users compile them, so that declared types and doc comments are part of the schema.
    '/(operators|docs/examples)/[^/]+\\.ts$': '<rootDir>/dist/test-runners/jest-transformer.js',
    '^.+\\.ts$': ['@swc/jest', swc],
  },
  moduleNameMapper: {
    '^kindwright$': '<rootDir>/src/index.ts',
    '^kindwright/definitions$': '<rootDir>/src/definitions.ts',
    '^kindwright/testing$': '<rootDir>/src/testing.ts',
    '^(\\.{1,2}/.*)\\.js$': '$1',
    // The same examples in each run of the gate.
    ...(process.env.PROPERTY_SEED && { '^fast-check$': '<rootDir>/test/seeded-fast-check.ts' }),
  },
  modulePathIgnorePatterns: ['<rootDir>/dist/', '/fixtures/'],
};

/**
 * `unit` needs nothing but Node; `package` installs the packed package; `durability` kills servers; `cluster` starts a
 * real control plane per suite.
 * The suites in test/e2e run in `unit` on the embedded server and in `cluster` on the real one; those in sdk, admission
 * and workloads, which need kubectl or take long, in `embedded` instead of `unit`.
 */
export default {
  projects: [
    {
      ...common,
      displayName: 'unit',
      testMatch: ['<rootDir>/test/**/*.test.ts'],
      globals: { E2E_SERVER: 'embedded' },
      testPathIgnorePatterns: [
        '/test/cluster/',
        '/test/e2e/(sdk|admission|workloads)/',
        '/test/durability/',
        '/test/faults/',
        '/test/package/',
      ],
      setupFilesAfterEnv: ['<rootDir>/test/jest-timeout.ts'],
    },
    { ...common, displayName: 'package', testMatch: ['<rootDir>/test/package/**/*.test.ts'] },
    { ...common, displayName: 'durability', testMatch: ['<rootDir>/test/durability/**/*.test.ts'] },
    {
      ...common,
      displayName: 'faults',
      testMatch: ['<rootDir>/test/faults/*.test.ts'],
      globals: { E2E_SERVER: 'real' },
      globalSetup: '<rootDir>/test/controlplane/jest-setup.ts',
      setupFilesAfterEnv: ['<rootDir>/test/faults/jest-timeout.ts'],
    },
    {
      ...common,
      displayName: 'embedded',
      testMatch: ['<rootDir>/test/e2e/{sdk,admission,workloads}/**/*.test.ts'],
      globals: { E2E_SERVER: 'embedded' },
      globalSetup: '<rootDir>/test/controlplane/jest-setup.ts',
      setupFilesAfterEnv: ['<rootDir>/test/controlplane/jest-timeout.ts'],
    },
    {
      ...common,
      displayName: 'cluster',
      testMatch: ['<rootDir>/test/{cluster,e2e}/**/*.test.ts'],
      globals: { E2E_SERVER: 'real' },
      globalSetup: '<rootDir>/test/controlplane/jest-setup.ts',
      setupFilesAfterEnv: ['<rootDir>/test/controlplane/jest-timeout.ts'],
    },
  ],
};

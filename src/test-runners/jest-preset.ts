import { fileURLToPath } from 'node:url';
import vm from 'node:vm';

const CEL_LIBRARY = '@marcbachmann/cel-js/.*\\.js$';

/** The options of a jest configuration that `kindwrightPreset` sets. */
export interface KindwrightJestPreset {
  extensionsToTreatAsEsm: string[];
  moduleNameMapper: Record<string, string>;
  setupFilesAfterEnv: string[];
  testEnvironment: string;
  transform: Record<string, string>;
  transformIgnorePatterns: string[];
}

/**
 * Returns the jest configuration for tests of operators, to be spread into a project's own.
 *
 * TypeScript modules outside `node_modules` are compiled as the kindwright commands compile them: decorators have their
 * metadata, and declared types (`size?: number`) and doc comments are part of the schema. `tsconfig.json` is not read.
 * The error of a failing test contains the errors of its operators and the timeline of their reconciles. jest must be
 * started with `NODE_OPTIONS=--experimental-vm-modules`.
 *
 * @example
 * export default { ...kindwrightPreset(), testTimeout: 10_000 };
 */
export function kindwrightPreset(): KindwrightJestPreset {
  return {
    extensionsToTreatAsEsm: ['.ts'],
    // TypeScript's own form of imports: ./podset.js is podset.ts.
    moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
    setupFilesAfterEnv: supportsEsModules() ? [pathOf('./jest-setup.js')] : [],
    testEnvironment: 'node',
    transform: { [`\\.m?ts$|${CEL_LIBRARY}`]: pathOf('./jest-transformer.js') },
    transformIgnorePatterns: [`/node_modules/(?!(.*/)?${CEL_LIBRARY})`],
  };
}

/**
 * Reports whether jest can load ES modules. If not, it would fail at the set-up file before it calls the transformer,
 * which throws the error that names the flag.
 */
function supportsEsModules(): boolean {
  return 'SourceTextModule' in vm;
}

function pathOf(module: string): string {
  return fileURLToPath(new URL(module, import.meta.url));
}

import { fileURLToPath } from 'node:url';
import { compile } from '../compiler/compile.js';

/** The part of Vite's plugin interface that the plugin implements. */
export interface KindwrightVitePlugin {
  readonly name: string;
  readonly enforce: 'pre';
  config(): { test: { setupFiles: string[] } };
  transform(code: string, id: string): { code: string; map: string } | undefined;
}

/**
 * Returns the Vite plugin for tests of operators with Vitest.
 *
 * TypeScript modules outside `node_modules` are compiled as the kindwright commands compile them: decorators have their
 * metadata, and declared types (`size?: number`) and doc comments are part of the schema. `tsconfig.json` is not read.
 * The error of a failing test contains the errors of its operators and the timeline of their reconciles.
 *
 * @example
 * export default defineConfig({ plugins: [kindwright()] });
 */
export function kindwright(): KindwrightVitePlugin {
  return {
    name: 'kindwright',
    enforce: 'pre',
    config: () => ({ test: { setupFiles: [fileURLToPath(new URL('./vitest-setup.js', import.meta.url))] } }),
    transform: (code, id) => (isOwnTypeScript(id) ? compile(id.replace(/\?.*$/, ''), code) : undefined),
  };
}

/** Excludes packages, virtual modules, and imports that are not of code (`./x.ts?raw`). */
function isOwnTypeScript(id: string): boolean {
  return /\.m?ts(\?(?:[tv]=[^&]*|import))?$/.test(id) && !id.startsWith('\0') && !id.includes('/node_modules/');
}

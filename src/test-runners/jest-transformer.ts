import { createHash } from 'node:crypto';
import { OperatorError } from '../base/operator-error.js';
import { showHint } from '../testing/with-hint.js';
import { compile, toCommonJs, type CompiledModule } from '../compiler/compile.js';
import { compilerVersion } from '../compiler/compiler-version.js';

/** The transform options of jest that determine the output. */
interface TransformOptions {
  readonly supportsStaticESM: boolean;
  readonly instrument: boolean;
  readonly configString: string;
}

/**
 * Compiles a module for jest: TypeScript to an ES module, and JavaScript (of the CEL library, which is an ES module) to
 * CommonJS where jest asks for it, because jest cannot load an ES module by `require` before Node 24.9.
 *
 * @throws OperatorError for a syntax error, and when jest does not run ES modules.
 */
export function process(source: string, path: string, { supportsStaticESM }: TransformOptions): CompiledModule {
  if (path.endsWith('.js')) return supportsStaticESM ? { code: source, map: '' } : toCommonJs(source, path);
  if (!supportsStaticESM)
    throw showHint(
      new OperatorError(`${path}: jest loads this module as CommonJS, but kindwright is an ES module`, {
        code: 'E_TEST_RUNNER',
        hint: 'NODE_OPTIONS=--experimental-vm-modules npx jest',
      }),
    );
  return compile(path, source);
}

/** Returns the key of jest's cache: a hash of everything that determines the output. */
export function getCacheKey(source: string, path: string, options: TransformOptions): string {
  const { supportsStaticESM, instrument, configString } = options;
  const inputs = [compilerVersion(), source, path, supportsStaticESM, instrument, configString];
  return createHash('sha256').update(JSON.stringify(inputs)).digest('hex');
}

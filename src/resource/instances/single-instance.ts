import { OperatorError } from '../../base/operator-error.js';

const COPIES = Symbol.for('kindwright.copies');
const shared = globalThis as { [COPIES]?: Set<string> | undefined };

/** The locations of all loaded copies of the package. */
const copies = (shared[COPIES] ??= new Set());
copies.add(import.meta.url);

/**
 * Asserts that one copy of the package is loaded; several copies do not recognize each other's classes.
 *
 * @throws OperatorError with the locations of the copies.
 */
export function assertSingleInstance(): void {
  if (copies.size === 1) return;
  const places = [...copies].map((url) => `  ${url.replace(/\/[^/]*\/[^/]*$/, '')}`);
  throw new OperatorError(`kindwright is loaded ${copies.size} times:\n${places.join('\n')}`, {
    code: 'E_TWO_COPIES',
    hint: 'run the command that is installed next to the operator: npx run-operator; npm ls kindwright lists the copies',
  });
}

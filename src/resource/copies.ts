import { OperatorError } from '../base/operator-error.js';

const COPIES = Symbol.for('kindwright.copies');
const shared = globalThis as { [COPIES]?: Set<string> | undefined };

/** Where each copy of the package that this process has loaded is from. */
const copies = (shared[COPIES] ??= new Set());
copies.add(import.meta.url);

/**
 * Refuses to go on with two copies of the package, of which neither takes the other's classes for its own.
 *
 * @throws OperatorError that names both places.
 */
export function requireSingleCopy(): void {
  if (copies.size === 1) return;
  const places = [...copies].map((url) => `  ${url.replace(/\/[^/]*\/[^/]*$/, '')}`);
  throw new OperatorError(`kindwright is loaded ${copies.size} times:\n${places.join('\n')}`, {
    code: 'E_TWO_COPIES',
    hint: 'start the command that is installed beside the operator: npx run-operator; npm ls kindwright shows the copies',
  });
}

import fc from '../node_modules/fast-check/lib/fast-check.js';

/**
 * fast-check as the tests import it; jest.config.js puts it in the place of fast-check.
 *
 * With `PROPERTY_SEED`, each run tries the same examples, so that the gate fails only for the change under test. Without it
 * each run tries others. With `PROPERTY_SHARE`, a property is tried with this share of its examples.
 *
 * The keys of random objects have no backslashes: once an object with the key `a\` exists, JSON.parse of V8 13.6 (Node 24)
 * reads the key `a"`, which is written `a\"`, as `a\` in all objects of that shape.
 */
if (process.env['PROPERTY_SEED']) fc.configureGlobal({ seed: Number(process.env['PROPERTY_SEED']) });

const share = Number(process.env['PROPERTY_SHARE'] ?? 1);

const withoutBackslashes = (key: string): string => key.replaceAll('\\', '/');

function withPlainKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withPlainKeys);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [withoutBackslashes(key), withPlainKeys(member)]),
  );
}

export const jsonValue: typeof fc.jsonValue = (constraints) =>
  fc.jsonValue(constraints).map(withPlainKeys) as ReturnType<typeof fc.jsonValue>;
export const json: typeof fc.json = (constraints) => jsonValue(constraints).map((value) => JSON.stringify(value));
export const dictionary = <T>(
  keys: fc.Arbitrary<string>,
  values: fc.Arbitrary<T>,
  constraints?: fc.DictionaryConstraints,
): fc.Arbitrary<Record<string, T>> => fc.dictionary(keys.map(withoutBackslashes), values, constraints);
export const anything = (constraints: fc.ObjectConstraints = {}): fc.Arbitrary<unknown> =>
  fc.anything({ ...constraints, key: (constraints.key ?? fc.string()).map(withoutBackslashes) });

export const assert = ((property: fc.IRawProperty<unknown>, parameters?: fc.Parameters<unknown>) => {
  const { numRuns = fc.readConfigureGlobal().numRuns ?? 100 } = parameters ?? {};
  return fc.assert(property, { ...parameters, numRuns: Math.ceil(numRuns * share) });
}) as typeof fc.assert;

export * from '../node_modules/fast-check/lib/fast-check.js';
const replaced = { ...fc, jsonValue, json, dictionary, anything, assert };
export { replaced as default };

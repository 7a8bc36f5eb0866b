import { createRequire } from 'node:module';
import { isIP } from 'node:net';
import type { Environment } from '@marcbachmann/cel-js';
import { parseQuantity } from '../../../api/quantity.js';
import { compilePattern } from '../../../crd/schema/pattern.js';

const load = createRequire(import.meta.url);

let environment: Environment | undefined;

/** The CEL environment of policies and match conditions, loaded when the first is compiled. */
export function celEnvironment(): Environment {
  return (environment ??= createEnvironment());
}

function createEnvironment(): Environment {
  const cel = load('@marcbachmann/cel-js') as { Environment: new (options: object) => Environment };
  const env = new cel.Environment({ unlistedVariablesAreDyn: true, enableOptionalTypes: true });
  registerStrings(env);
  registerLists(env);
  registerQuantities(env);
  env.registerFunction('isIP(string): bool', (text: string) => isIP(text) !== 0);
  env.registerFunction('isURL(string): bool', (text: string) => URL.canParse(text));
  return env;
}

function registerStrings(env: Environment): void {
  env.registerFunction(
    'string.find(string): string',
    (text: string, pattern: string) => findAll(text, pattern)[0] ?? '',
  );
  env.registerFunction('string.findAll(string): list<string>', findAll);
}

function findAll(text: string, pattern: string): string[] {
  const matcher = compilePattern(pattern).matcher(text);
  const found: string[] = [];
  while (matcher.find()) found.push(matcher.group() ?? '');
  return found;
}

type Comparable = bigint | number | string;

function registerLists(env: Environment): void {
  env.registerFunction('list.isSorted(): bool', (list: readonly Comparable[]) =>
    list.every((item, index) => index === 0 || (list[index - 1] ?? item) <= item),
  );
  env.registerFunction('list.min(): dyn', (list: readonly Comparable[]) => list.reduce((a, b) => (b < a ? b : a)));
  env.registerFunction('list.max(): dyn', (list: readonly Comparable[]) => list.reduce((a, b) => (b > a ? b : a)));
  env.registerFunction('list.sum(): dyn', (list: readonly (bigint | number)[]) =>
    list.reduce<bigint | number>(
      (a, b) => (typeof b === 'bigint' ? BigInt(a) + b : Number(a) + b),
      typeof list[0] === 'number' ? 0 : 0n,
    ),
  );
  env.registerFunction('list.indexOf(dyn): int', (list: readonly unknown[], item: unknown) =>
    BigInt(list.indexOf(item)),
  );
  env.registerFunction('list.lastIndexOf(dyn): int', (list: readonly unknown[], item: unknown) =>
    BigInt(list.lastIndexOf(item)),
  );
}

/** A quantity in CEL. */
class CelQuantity {
  readonly nano: bigint;

  constructor(text: string) {
    const quantity = parseQuantity(text);
    if (!quantity) throw new Error(`quantities must match the regular expression: ${text}`);
    this.nano = quantity.nano;
  }
}

function registerQuantities(env: Environment): void {
  env.registerType('Quantity', CelQuantity);
  env.registerFunction('isQuantity(string): bool', (text: string) => parseQuantity(text) !== undefined);
  env.registerFunction('quantity(string): Quantity', (text: string) => new CelQuantity(text));
  env.registerFunction('Quantity.isGreaterThan(Quantity): bool', (a: CelQuantity, b: CelQuantity) => a.nano > b.nano);
  env.registerFunction('Quantity.isLessThan(Quantity): bool', (a: CelQuantity, b: CelQuantity) => a.nano < b.nano);
  env.registerFunction('Quantity.compareTo(Quantity): int', (a: CelQuantity, b: CelQuantity) =>
    a.nano < b.nano ? -1n : a.nano > b.nano ? 1n : 0n,
  );
}

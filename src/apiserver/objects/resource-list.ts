import { formatQuantity, parseQuantity, type Quantity } from '../../api/schema/quantity.js';
import { isJsonObject, textOf, type JsonObject } from './api-object.js';

/** Quantities by resource name: core/v1 ResourceList. */
export type ResourceList = ReadonlyMap<string, Quantity>;

/** Returns an integer quantity. */
export function countOf(value: number): Quantity {
  return { nano: BigInt(value) * 1_000_000_000n, format: 'DecimalSI' };
}

export function resourceList(value: unknown): ResourceList {
  const list = new Map<string, Quantity>();
  for (const [name, amount] of Object.entries(isJsonObject(value) ? value : {})) {
    const quantity = parseQuantity(textOf(amount));
    if (quantity) list.set(name, quantity);
  }
  return list;
}

export function toJson(list: ResourceList): JsonObject {
  return Object.fromEntries([...list].map(([name, quantity]) => [name, formatQuantity(quantity)]));
}

/** Adds two lists; a resource in only one of them is kept. */
export function add(a: ResourceList, b: ResourceList): ResourceList {
  return combine(a, b, (x, y) => ({ nano: x.nano + y.nano, format: x.nano === 0n ? y.format : x.format }));
}

/** Returns the maximum of each resource. */
export function max(a: ResourceList, b: ResourceList): ResourceList {
  return combine(a, b, (x, y) => (y.nano > x.nano ? y : x));
}

/** Returns by how much each resource increased; zero where it did not. */
export function increase(a: ResourceList, b: ResourceList): ResourceList {
  const differences = [...a].map(([name, { nano, format }]) => {
    const left = nano - (b.get(name)?.nano ?? 0n);
    return [name, { nano: left > 0n ? left : 0n, format }] as const;
  });
  return new Map(differences);
}

/** Returns the entries with the given names. */
export function mask(list: ResourceList, names: Iterable<string>): ResourceList {
  const wanted = new Set(names);
  return new Map([...list].filter(([name]) => wanted.has(name)));
}

function combine(a: ResourceList, b: ResourceList, merge: (x: Quantity, y: Quantity) => Quantity): ResourceList {
  const result = new Map(a);
  for (const [name, quantity] of b) {
    const present = result.get(name);
    result.set(name, present ? merge(present, quantity) : quantity);
  }
  return result;
}

import { isJsonObject } from '../objects/api-object.js';

type List = readonly unknown[];

/**
 * The items in the order the client gives them; what only the server has stands before the first of these that it
 * stood before. As patch.go's normalizeElementOrder has it.
 */
export function elementOrder(items: List, wanted: List, former: List, mergeKey: string): List {
  const keyOf = (item: unknown): unknown => (mergeKey !== '' && isJsonObject(item) ? item[mergeKey] : item);
  const place = (list: List, item: unknown): number => list.findIndex((other) => keyOf(other) === keyOf(item));
  const by = (list: List) => (a: unknown, b: unknown) => place(list, a) - place(list, b);
  const given = items.filter((item) => place(wanted, item) >= 0).sort(by(wanted));
  const kept = items.filter((item) => place(wanted, item) < 0).sort(by(former));
  const result: unknown[] = [];
  let next = 0;
  for (const item of given) {
    for (
      let own = kept[next];
      own !== undefined && isBefore(place(former, own), place(former, item));
      own = kept[++next]
    )
      result.push(own);
    result.push(item);
  }
  return [...result, ...kept.slice(next)];
}

function isBefore(a: number, b: number): boolean {
  return a >= 0 && b >= 0 && a < b;
}

import { parseJson } from '../../base/json.js';
import { setMember } from '../../base/set-member.js';
import { isJsonObject, type JsonObject } from '../objects/api-object.js';
import { JsonScanner } from './json-scanner.js';

/**
 * Parses JSON like Go's decoder with structs: duplicate members are decoded into the same field, so two objects are
 * merged. The text must be valid JSON.
 */
export function mergedMembers(text: string): unknown {
  const scanner = new JsonScanner(text);
  const value = (): unknown => {
    const next = scanner.peek();
    if (next === '{') return object();
    if (next !== '[') return parseJson(scanner.scalar());
    const items: unknown[] = [];
    scanner.items(() => items.push(value()));
    return items;
  };
  const object = (): JsonObject => {
    const result: JsonObject = {};
    scanner.members((key) => {
      setMember(result, key, merged(Object.hasOwn(result, key) ? result[key] : undefined, value()));
    });
    return result;
  };
  return value();
}

function merged(former: unknown, value: unknown): unknown {
  if (!isJsonObject(former)) return value;
  if (value === null) return former;
  if (!isJsonObject(value)) return value;
  const result = { ...former };
  for (const [key, member] of Object.entries(value))
    setMember(result, key, merged(Object.hasOwn(former, key) ? former[key] : undefined, member));
  return result;
}

import { parseJson } from '../../base/json.js';
import { setMember } from '../../base/set-member.js';
import { isJsonObject, type JsonObject } from '../objects/api-object.js';
import { DecodeReport, unknownFieldProblem } from './decode-report.js';
import { JsonScanner } from './json-scanner.js';

/** Reports duplicate members of JSON objects, which JSON.parse ignores. The text must be valid JSON. */
export function reportDuplicates(text: string, report: DecodeReport): void {
  eachMember(text, (path, isRepeated) => {
    if (isRepeated) report.duplicate(path);
    return true;
  });
}

/** Returns whether any JSON object has duplicate members. The text must be valid JSON. */
export function hasDuplicates(text: string): boolean {
  let found = false;
  eachMember(text, (_path, isRepeated) => (found ||= isRepeated) || true);
  return found;
}

/**
 * Returns unknown and duplicate fields in the order of the text, as Go's decoder reports them. Duplicates inside
 * unknown fields are not reported.
 */
export function problemsInOrder(text: string, unknown: readonly string[]): string[] {
  const missing = new Set(unknown);
  const ordered = new DecodeReport();
  eachMember(text, (path, isRepeated) => {
    const isKnown = !missing.has(unknownFieldProblem(path));
    if (!isKnown) ordered.unknown(path);
    else if (isRepeated) ordered.duplicate(path);
    return isKnown;
  });
  return [...new Set([...ordered.problems, ...unknown])];
}

/** Called for each member; returns whether to visit the members below. */
type Visit = (path: string, isRepeated: boolean) => boolean;

function eachMember(text: string, visit: Visit): void {
  const scanner = new JsonScanner(text);
  const value = (path: string, isVisited: boolean): void => {
    const next = scanner.peek();
    if (next === '{') object(path, isVisited);
    else if (next === '[') scanner.items((index) => value(`${path}[${index}]`, isVisited));
    else scanner.scalar();
  };
  const object = (path: string, isVisited: boolean): void => {
    const seen = new Set<string>();
    scanner.members((key) => {
      const below = path === '' ? key : `${path}.${key}`;
      const goesOn = isVisited && visit(below, seen.has(key));
      seen.add(key);
      value(below, goesOn);
    });
  };
  value('', true);
}

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

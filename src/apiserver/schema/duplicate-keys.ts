import { DecodeReport, unknownField } from './decode-report.js';
import { JsonScanner } from './json-scanner.js';

/** Reports members that stand twice in one JSON object, which JSON.parse passes over. The text must be valid JSON. */
export function reportDuplicates(text: string, report: DecodeReport): void {
  eachMember(text, (path, isRepeated) => {
    if (isRepeated) report.duplicate(path);
    return true;
  });
}

/** Whether any member stands twice. The text must be valid JSON. */
export function hasDuplicates(text: string): boolean {
  let found = false;
  eachMember(text, (_path, isRepeated) => (found ||= isRepeated) || true);
  return found;
}

/** Unknown fields and duplicates in the order of the text, as Go's decoder finds them: it passes over what it does not know. */
export function problemsInOrder(text: string, unknown: readonly string[]): string[] {
  const missing = new Set(unknown);
  const ordered = new DecodeReport();
  eachMember(text, (path, isRepeated) => {
    const isKnown = !missing.has(unknownField(path));
    if (!isKnown) ordered.unknown(path);
    else if (isRepeated) ordered.duplicate(path);
    return isKnown;
  });
  return [...new Set([...ordered.problems, ...unknown])];
}

/** Told of each member; what it returns says whether to be told of those below. */
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

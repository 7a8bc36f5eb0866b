import { displayPath } from '../base/display-path.js';
import type { DecoratorUse } from './decorator-use.js';
import { classDocs } from './doc-comments.js';

/** A class, a member of it or one of its decorators, as the subject of a diagnostic. */
export interface Location {
  readonly target: { readonly name: string };
  /** A property or method; `ports[]` for the items of a list, `env.name` within a definition of Kubernetes. */
  readonly member?: string | undefined;
  readonly decorator?: DecoratorUse | undefined;
}

/** Class and member: `Spec.ports[]`. */
export function memberPath({ target, member }: Location): string {
  return member === undefined ? target.name : `${target.name}.${member}`;
}

/** File and line, such as `operators/podset.ts:31`; undefined where no loader recorded the source. */
export function sourceLine(location: Location): string | undefined {
  const { target, member, decorator } = location;
  const own = decoratorLine(decorator) ?? (member === undefined ? undefined : memberLine(target, member));
  const [file, line] = own ?? classLine(target) ?? [];
  return file === undefined ? undefined : `${displayPath(file)}:${line}`;
}

/** A message about a location, preceded by file and line where they are known. */
export function located(location: Location, message: string): string {
  const source = sourceLine(location);
  return `${source === undefined ? '' : `${source} `}${memberPath(location)}: ${message}`;
}

type FileLine = readonly [file: string, line: number];

function classLine(target: object): FileLine | undefined {
  const source = classDocs(target)?.source;
  return source && [source.file, source.line];
}

function decoratorLine(decorator: DecoratorUse | undefined): FileLine | undefined {
  const source = decorator && classDocs(decorator.target)?.source;
  const lines = decorator && source && own(source.decorators, decorator.name);
  const line = lines?.[decorator?.index ?? 0];
  return source && line !== undefined ? [source.file, line] : undefined;
}

/** Searches the class and its base classes; a member of a list item or definition has the line of the property. */
function memberLine(target: object, member: string): FileLine | undefined {
  const property = member.replace(/(?:\[\]|\{\}|\.).*$/s, '');
  for (let at: unknown = target; typeof at === 'function'; at = Object.getPrototypeOf(at)) {
    const source = classDocs(at)?.source;
    const line = source && (own(source.members, member) ?? own(source.members, property));
    if (source && line !== undefined) return [source.file, line];
  }
  return undefined;
}

function own<T>(record: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}

import { DESCRIPTION } from './decorators/description.js';
import { ownMetadata } from './metadata.js';

/** The doc comments of a class, which whoever compiles the source leaves behind. */
export interface ClassDocs {
  readonly description?: string;
  readonly properties: Readonly<Record<string, string>>;
}

/** Where they are left: a WeakMap from class to ClassDocs. */
export const DOCS = Symbol.for('kindwright.docs');

/** The description of a class: `@Description`, else the doc comment. */
export function describeClass(target: object): string | undefined {
  const text = ownMetadata(DESCRIPTION, target)[0] ?? docsOf(target)?.description;
  return text === undefined ? undefined : tidy(text);
}

/** The doc comment of a property. */
export function describeProperty(target: object, property: string): string | undefined {
  const properties = docsOf(target)?.properties ?? {};
  const text = Object.hasOwn(properties, property) ? properties[property] : undefined;
  return text === undefined ? undefined : tidy(text);
}

function docsOf(target: object): ClassDocs | undefined {
  const { [DOCS]: docs } = globalThis as { [DOCS]?: WeakMap<object, ClassDocs> };
  return docs?.get(target);
}

/**
 * A comment as the text that controller-gen makes of it: line by line, without lines that start with TODO, up to a line
 * of `---`. Links become the word they show.
 */
function tidy(comment: string): string | undefined {
  const lines: string[] = [];
  let isCode = false;
  for (const line of comment.split(/\r?\n/).map((text) => text.trim())) {
    if (/^(?:```|~~~)/.test(line)) isCode = !isCode;
    if (!isCode && line.startsWith('---')) break;
    if (isCode || !line.startsWith('TODO')) lines.push(line);
  }
  const text = lines.join('\n').trim();
  return text === '' ? undefined : text.replace(/\{@link(?:code|plain)?\s+(?:[^}|\s]+[\s|]+)?([^}]+?)\s*\}/g, '$1');
}

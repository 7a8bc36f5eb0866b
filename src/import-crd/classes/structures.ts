import type { JsonSchema } from '../../api/schema/json-schema.js';
import { SITE_KEYWORDS } from '../values/expressible.js';

/** Assigns keys to schemas by structure. A shared subschema is processed once. */
export class Structures {
  private readonly ids = new Map<string, number>();
  private readonly known = new WeakMap<object, number>();

  /**
   * Returns the same key for schemas of the same structure, regardless of descriptions and other keywords of their
   * use.
   */
  keyOf(schema: JsonSchema): string {
    return this.membersText(Object.entries(schema).filter(([keyword]) => !SITE_KEYWORDS.includes(keyword)));
  }

  /** Returns the same id for equal values. */
  private idOf(value: unknown): number {
    if (typeof value !== 'object' || value === null) return this.idOfText(scalarText(value));
    let id = this.known.get(value);
    if (id === undefined) this.known.set(value, (id = this.idOfText(this.text(value))));
    return id;
  }

  private idOfText(text: string): number {
    let id = this.ids.get(text);
    if (id === undefined) this.ids.set(text, (id = this.ids.size));
    return id;
  }

  private text(value: object): string {
    if (Array.isArray(value)) return `[${value.map((item) => this.idOf(item)).join()}]`;
    return this.membersText(Object.entries(value));
  }

  private membersText(members: readonly (readonly [string, unknown])[]): string {
    const sorted = members.toSorted(([a], [b]) => (a < b ? -1 : 1));
    return `{${sorted.map(([name, member]) => `${JSON.stringify(name)}:${this.idOf(member)}`).join()}}`;
  }
}

function scalarText(value: unknown): string {
  return typeof value === 'bigint' ? `${value}n` : JSON.stringify(value);
}

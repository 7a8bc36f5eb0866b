import type { JsonSchema } from '../../api/schema/json-schema.js';
import { Structures } from './structures.js';

/** A class that the package exports, and the schema of its objects. */
export interface BuiltInClass {
  readonly name: string;
  readonly schema: JsonSchema;
  /** The entry that exports a type of Kubernetes; undefined for the other classes of `kindwright`. */
  readonly from?: 'kindwright' | 'kindwright/definitions';
  /** The options of a field that give the class this schema. */
  readonly options: Readonly<Record<string, unknown>>;
}

/** The exported classes by structure; of several classes with the same structure, the first is used. */
export class BuiltInClasses {
  private readonly structures = new Structures();
  private readonly byStructure = new Map<string, BuiltInClass>();

  constructor(classes: Iterable<BuiltInClass>) {
    for (const builtIn of classes) {
      const key = this.keyOf(builtIn.schema);
      if (!this.byStructure.has(key)) this.byStructure.set(key, builtIn);
    }
  }

  /**
   * Returns the same key for schemas of the same structure, regardless of descriptions and other keywords of their
   * use.
   */
  keyOf(schema: JsonSchema): string {
    return this.structures.keyOf(schema);
  }

  get(key: string): BuiltInClass | undefined {
    return this.byStructure.get(key);
  }
}

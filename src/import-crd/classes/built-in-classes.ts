import type { JsonSchema } from '../../api/json-schema.js';
import { Structures } from './structures.js';

/** A class that need not be written, and the schema of its objects. */
export interface BuiltInClass {
  readonly name: string;
  readonly schema: JsonSchema;
  /** The entry of the package that exports it. */
  readonly from: 'kindwright' | 'kindwright/definitions';
}

/** The classes that need not be written, by their structure; of those of one structure the first is taken. */
export class BuiltInClasses {
  private readonly structures = new Structures();
  private readonly byStructure = new Map<string, BuiltInClass>();

  constructor(classes: Iterable<BuiltInClass>) {
    for (const builtIn of classes) {
      const key = this.keyOf(builtIn.schema);
      if (!this.byStructure.has(key)) this.byStructure.set(key, builtIn);
    }
  }

  /** The same for objects of the same structure, whatever is said of the places where they are. */
  keyOf(schema: JsonSchema): string {
    return this.structures.keyOf(schema);
  }

  get(key: string): BuiltInClass | undefined {
    return this.byStructure.get(key);
  }
}

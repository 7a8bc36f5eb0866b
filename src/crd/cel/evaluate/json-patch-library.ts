import { CelObject } from './cel-value.js';

/** The `jsonpatch` variable in mutations of admission policies, the target of `escapeKey`. */
class JsonPatchLibrary extends CelObject {
  readonly typeName = 'jsonpatch';

  equals(other: CelObject): boolean {
    return other === this;
  }
}

export const JSON_PATCH_LIBRARY = new JsonPatchLibrary();

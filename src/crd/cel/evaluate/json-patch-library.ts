import { CelObject } from './cel-value.js';

/** `jsonpatch` in the mutations of admission policies: what `escapeKey` is called on. */
class JsonPatchLibrary extends CelObject {
  readonly typeName = 'jsonpatch';

  equals(other: CelObject): boolean {
    return other === this;
  }
}

export const JSON_PATCH_LIBRARY = new JsonPatchLibrary();

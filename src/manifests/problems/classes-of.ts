import { isOfDefinition, type ClassModel, type ValueModel } from '../../resource/fields/value-model.js';

/** The class and those of its fields, at every depth, without Kubernetes definitions. */
export function classesOf(root: ClassModel, found = new Set<ClassModel>()): ReadonlySet<ClassModel> {
  if (found.has(root) || isOfDefinition(root)) return found;
  found.add(root);
  for (const { value } of root.fields) collectIn(value, found);
  return found;
}

function collectIn(value: ValueModel | true | undefined, found: Set<ClassModel>): void {
  if (typeof value !== 'object' || value.schema) return;
  if (value.class) classesOf(value.class, found);
  collectIn(value.items, found);
  collectIn(value.values, found);
}

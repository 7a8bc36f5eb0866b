import type { CustomResourceDefinition } from '../api/kinds.js';
import { importDefinition, type ImportedFile, type Vocabulary } from './import-definition.js';

/** Returns files for all definitions; kinds with the same name are in one folder per group. */
export function importDefinitions(
  definitions: readonly CustomResourceDefinition[],
  vocabulary: Vocabulary,
): ImportedFile[] {
  const files = definitions.flatMap((definition) =>
    importDefinition(definition, vocabulary).map((file) => ({ group: definition.spec.group, ...file })),
  );
  const byPath = Map.groupBy(files, ({ path }) => path);
  return files.map(({ group, path, content }) => ({
    path: (byPath.get(path) ?? []).length > 1 ? `${group}/${path}` : path,
    content,
  }));
}

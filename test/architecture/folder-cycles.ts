/** An import of one module by another; both are paths from the root. */
export interface Import {
  readonly from: string;
  readonly to: string;
}

/**
 * Returns the groups of folders beside each other that import each other, directly or by way of others of them, as
 * `parent: first, second`, sorted.
 *
 * Modules in the parent folder itself do not count: they hold what its folders share, and what connects them.
 */
export function folderCycles(imports: readonly Import[]): string[] {
  const importsByParent = new Map<string, Map<string, Set<string>>>();
  for (const { from, to } of imports) {
    const source = from.split('/');
    const target = to.split('/');
    const depth = source.findIndex((name, index) => name !== target[index]);
    if (depth < 0 || depth >= Math.min(source.length, target.length) - 1) continue;
    const parent = source.slice(0, depth).join('/');
    const folders = importsByParent.get(parent) ?? new Map<string, Set<string>>();
    const imported = folders.get(source[depth]!) ?? new Set<string>();
    importsByParent.set(parent, folders.set(source[depth]!, imported.add(target[depth]!)));
  }
  return [...importsByParent].flatMap(([parent, folders]) => cyclesOf(parent, folders)).sort();
}

function cyclesOf(parent: string, folders: ReadonlyMap<string, ReadonlySet<string>>): string[] {
  const reached = new Map([...folders.keys()].map((folder) => [folder, reachable(folders, folder)]));
  const groups = [...reached].map(([folder, others]) =>
    [...others]
      .filter((other) => reached.get(other)?.has(folder))
      .sort()
      .join(', '),
  );
  return [...new Set(groups)].filter((group) => group !== '').map((group) => `${parent}: ${group}`);
}

/** Returns the folders that a folder imports, directly or by way of others; itself only if there is a cycle. */
function reachable(folders: ReadonlyMap<string, ReadonlySet<string>>, start: string): ReadonlySet<string> {
  const found = new Set<string>();
  const visit = (folder: string): void => {
    for (const next of folders.get(folder) ?? []) {
      if (found.has(next)) continue;
      found.add(next);
      visit(next);
    }
  };
  visit(start);
  return found;
}

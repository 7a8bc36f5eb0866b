// Puts the declarations of the package into one file for each entry point, and one for what these share. An editor reads 6
// files instead of 1,400, and nothing but the entry points can be imported.
import { existsSync, globSync, readdirSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { rollup } from 'rollup';
import { dts } from 'rollup-plugin-dts';

const ENTRIES = ['index', 'testing', 'definitions', 'jest', 'vite'];
const SHARED = 'shared';

/** The warning about types that no entry point exports. The API report lists them. */
const PRIVATE = /references private shared type exports/;

/** Returns true if `rollUpDeclarations` has replaced the declarations in a folder. */
export function areRolledUp(folder) {
  return existsSync(join(folder, `${SHARED}.d.ts`));
}

/** Replaces the declarations in a folder. */
export async function rollUpDeclarations(folder) {
  const input = Object.fromEntries(ENTRIES.map((name) => [name, join(folder, `${name}.d.ts`)]));
  const bundle = await rollup({
    input,
    plugins: [dts()],
    external: /^[^./]/,
    onLog: (level, { message, pluginCode }) => {
      if (!PRIVATE.test(message)) throw new Error(`${level}: ${message}`);
    },
  });
  const { output } = await bundle.generate({
    entryFileNames: '[name].d.ts',
    chunkFileNames: '[name].d.ts',
    minifyInternalExports: false,
    manualChunks: (id, { getModuleInfo }) => (entriesOf(id, getModuleInfo).size > 1 ? SHARED : undefined),
  });
  for (const path of globSync('**/*.d.ts', { cwd: folder })) rmSync(join(folder, path));
  for (const { fileName, code } of output) writeFileSync(join(folder, fileName), code);
  removeEmptyFolders(folder);
}

/** The entry points that need a module. */
function entriesOf(id, getModuleInfo) {
  const importers = new Set([id]);
  for (const importer of importers) for (const next of getModuleInfo(importer).importers) importers.add(next);
  return new Set([...importers].filter((importer) => getModuleInfo(importer).isEntry));
}

/** The folders of declarations whose modules are in chunks. */
function removeEmptyFolders(folder) {
  const folders = globSync('**/*', { cwd: folder, withFileTypes: true }).filter((entry) => entry.isDirectory());
  const deepestFirst = folders
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
    .reverse();
  for (const path of deepestFirst) if (readdirSync(path).length === 0) rmdirSync(path);
}

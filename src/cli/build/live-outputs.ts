import type { Metafile, OutputFile } from 'esbuild';
import { readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { PACKAGE_ROOT } from './package-modules.js';

/** A file of a bundle, by its absolute path. */
export interface BundleFile {
  readonly path: string;
  readonly contents: Uint8Array | string;
}

/** Files that modules of kindwright read, relative to the package. */
const DATA = ['dist/resource/definitions/kubernetes-1.36-schemas.bin'];

/**
 * Returns the files that the entry of a bundle reaches, with those that modules of kindwright read. The bundler also
 * returns files for calls of `import()` in code that it has removed.
 */
export function liveOutputs(
  { outputFiles, metafile }: { readonly outputFiles: readonly OutputFile[]; readonly metafile: Metafile },
  { project, out }: { readonly project: string; readonly out: string },
): BundleFile[] {
  const live = new Set([resolve(out, 'operator.mjs')]);
  const outputs = new Map(Object.entries(metafile.outputs).map(([path, output]) => [resolve(project, path), output]));
  for (const path of live) for (const { path: to } of outputs.get(path)?.imports ?? []) live.add(resolve(project, to));
  const files = outputFiles.filter(({ path }) => live.has(path.replace(/\.map$/, '')));
  return [
    ...files.map(({ path, text, contents }) => ({
      path,
      contents: path.endsWith('.map') ? withPlainSources(text, dirname(path), out) : contents,
    })),
    ...DATA.map((path) => ({
      path: join(out, 'operator', 'kindwright', path),
      contents: readFileSync(join(PACKAGE_ROOT, path)),
    })),
  ].sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** Names the sources of kindwright as if the package were part of the bundle, wherever it is installed. */
function withPlainSources(text: string, folder: string, out: string): string {
  const map = JSON.parse(text) as { sources: string[] };
  const kindwright = join(out, 'operator', 'kindwright');
  const sources = map.sources.map((source) => {
    const path = relative(PACKAGE_ROOT, resolve(folder, source));
    return /^(src|dist)[\\/]/.test(path) ? relative(folder, join(kindwright, path)).replaceAll(sep, '/') : source;
  });
  return `${JSON.stringify({ ...map, sources })}\n`;
}

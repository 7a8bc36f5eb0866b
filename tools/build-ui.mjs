// Builds the page of the console: src/console/ui to compressed files in dist/console/ui, which the server sends as they are.
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { constants, gzipSync } from 'node:zlib';
import { build } from 'esbuild';

/** Bytes of the compressed files. */
const MOST_AT_START = 45 * 1024;
const MOST_OF_A_SCREEN = 150 * 1024;
const MOST_IN_ALL = 170 * 1024;

/** Builds the page; its scripts and styles have their hash in their name, so that a browser may keep them. */
export async function buildUi(root, dist) {
  const source = join(root, 'src', 'console', 'ui');
  const target = join(dist, 'console', 'ui');
  const { outputFiles, metafile } = await build({
    entryPoints: [join(source, 'main.tsx'), join(source, 'style.css')],
    outdir: target,
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    bundle: true,
    splitting: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    tsconfig: join(source, 'tsconfig.json'),
    legalComments: 'none', // LICENSES.txt contains them all
    metafile: true,
    write: false,
  });
  rmSync(target, { recursive: true, force: true });
  mkdirSync(target, { recursive: true });
  const files = new Map(outputFiles.map(({ path, contents }) => [basename(path), contents]));
  const nameOf = (entry, extension) =>
    [...files.keys()].find((name) => name.startsWith(`${entry}-`) && name.endsWith(extension));
  const main = nameOf('main', '.js');
  const style = nameOf('style', '.css');
  const page = readFileSync(join(source, 'index.html'), 'utf8').replace('STYLE', style).replace('SCRIPT', main);
  files.set('index.html', Buffer.from(page));
  const sizes = new Map();
  for (const [name, contents] of files) {
    const compressed = gzipSync(contents, { level: constants.Z_BEST_COMPRESSION });
    writeFileSync(join(target, `${name}.gz`), compressed);
    sizes.set(name, compressed.length);
  }
  writeFileSync(join(target, 'LICENSES.txt'), licenses(root, metafile));
  const chunks = [...files.keys()].filter((name) => name.endsWith('.js') && name !== main);
  const loadedWith = (script) => [script, ...staticImports(metafile, script)];
  assertSmall(sizes, ['index.html', style, ...loadedWith(main)], chunks.map(loadedWith));
}

/** The chunks that a script imports without `import()`, directly or not. */
function staticImports(metafile, script) {
  const outputs = new Map(Object.entries(metafile.outputs).map(([path, output]) => [basename(path), output]));
  const found = new Set([script]);
  for (const name of found)
    for (const { path, kind } of outputs.get(name).imports) if (kind === 'import-statement') found.add(basename(path));
  found.delete(script);
  return found;
}

/** @param screens - the files that are loaded for each screen, or for a part of one */
function assertSmall(sizes, first, screens) {
  const sum = (names) => [...new Set(names)].reduce((total, name) => total + sizes.get(name), 0);
  const largest = Math.max(...screens.map((files) => sum([...first, ...files])));
  for (const [what, size, most] of [
    ['first load', sum(first), MOST_AT_START],
    ['one screen', largest, MOST_OF_A_SCREEN],
    ['all files', sum([...sizes.keys()]), MOST_IN_ALL],
  ])
    if (size > most) throw new Error(`dist/console/ui: ${what} of ${size} bytes is larger than ${most}`);
}

/** The licenses of the packages that are part of the scripts. */
function licenses(root, { inputs }) {
  const paths = Object.keys(inputs).map((path) => relative(root, join(process.cwd(), path)));
  const names = paths.map((path) => /^node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1]);
  const packages = [...new Set(names.filter((name) => name !== undefined))].sort();
  return packages
    .map((name) => {
      const folder = join(root, 'node_modules', name);
      const { version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
      const [file] = globSync('LICEN[CS]E*', { cwd: folder });
      if (!file) throw new Error(`${name}: no file with its license`);
      return `${name} ${version} (${license})\n\n${readFileSync(join(folder, file), 'utf8').trim()}\n`;
    })
    .join(`\n${'-'.repeat(80)}\n\n`);
}

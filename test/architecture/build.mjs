// Compiles src/ to dist/ unless that is done, from nothing so that no removed file lives on, and makes the commands
// callable with npx here: npm links the bins of dependencies only. The embedded server becomes a few files: to find and
// link its 200 modules takes Node longer than all else a first test does, and 10 MB.
// TypeScript 7 compiles it: it takes a fifth of the time of TypeScript 6, which is there for the tools that call it.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { build } from 'esbuild';

const root = join(import.meta.dirname, '..', '..');
const tsc = join(root, 'node_modules', 'typescript-7', 'bin', 'tsc');
const { bin } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const bins = join(root, 'node_modules', '.bin');
const mark = join(root, 'node_modules', '.cache', 'kindwright-build');

if (!existsSync(mark) || readFileSync(mark, 'utf8') !== fingerprint()) {
  await compile();
  mkdirSync(dirname(mark), { recursive: true });
  writeFileSync(mark, fingerprint());
}
for (const [name, path] of Object.entries(bin)) {
  const target = join(root, path);
  chmodSync(target, 0o755);
  if (!existsSync(bins)) continue;
  rmSync(join(bins, name), { force: true });
  symlinkSync(relative(bins, target), join(bins, name));
}

/** Compiles to an empty folder. */
async function compile() {
  rmSync(mark, { force: true });
  rmSync(join(root, 'dist'), { recursive: true, force: true });
  // Its entries are good for one version of the package; here the loader changes within a version.
  rmSync(join(root, 'node_modules', '.cache', 'kindwright'), { recursive: true, force: true });
  try {
    execFileSync(process.execPath, [tsc, '-p', join(root, 'src')], { stdio: 'inherit' });
  } catch {
    process.exit(1);
  }
  await bundleServer(join(root, 'dist', 'apiserver'));
  for (const [from, to] of [
    ['apiserver/data/kubernetes-1.36.bin', 'apiserver/kubernetes-1.36.bin'],
    ['resource/definitions/kubernetes-1.36-schemas.bin', 'resource/definitions/kubernetes-1.36-schemas.bin'],
  ])
    cpSync(join(root, 'src', from), join(root, 'dist', to));
}

/** What is compiled, by what, and what came of it. */
function fingerprint() {
  const own = relative(root, import.meta.filename);
  const found = globSync(['{src,dist}/**/*.*', '{package,package-lock,tsconfig}.json', own], { cwd: root });
  const hash = createHash('sha256');
  for (const path of found.sort())
    hash
      .update(`${path}\0`)
      .update(readFileSync(join(root, path)))
      .update('\0');
  return hash.digest('hex');
}

/** Puts what other folders import of the server, and nothing else, into files that hold all it takes. */
async function bundleServer(folder) {
  const entries = importedFrom(folder);
  const shared = {
    name: 'shared',
    // The layers below stay modules of their own: an error must be of the same class on both sides.
    setup: ({ onResolve }) =>
      onResolve({ filter: /^\.\.\/.*\/(base|api)\/[^/]+$|^\.\.\/(base|api)\/[^/]+$/ }, ({ path }) => ({
        path: path.replace(/^(\.\.\/)+/, '../'),
        external: true,
      })),
  };
  const builtins = importedBuiltins();
  const lazyBuiltins = {
    name: 'lazy-builtins',
    setup: ({ onResolve, onLoad }) => {
      onResolve({ filter: /^node:/ }, ({ path }) => ({ path, namespace: 'builtin' }));
      onLoad({ filter: /.*/, namespace: 'builtin' }, ({ path }) => ({
        contents: lazyBuiltin(path, [...builtins.get(path)]),
      }));
    },
  };
  const { outputFiles } = await build({
    entryPoints: entries.map((entry) => join(folder, entry)),
    outdir: folder,
    chunkNames: '[name]-[hash]',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node22',
    packages: 'external',
    sourcemap: true,
    plugins: [shared, lazyBuiltins],
    write: false,
  });
  // Declarations stay: others refer to them.
  for (const path of globSync('**/*.{js,js.map}', { cwd: folder })) rmSync(join(folder, path));
  for (const { path, text } of outputFiles) {
    mkdirSync(dirname(path), { recursive: true });
    // V8 keeps a whole source in two bytes for each character as soon as one of them needs it.
    writeFileSync(path, path.endsWith('.js') ? text.replace(/[^\0-\xff]/g, escaped) : text);
  }
}

/** As esbuild escapes what is in a string; it leaves regular expressions and comments as they are. */
function escaped(character) {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/**
 * A module of Node's that is loaded by the first use of a member; `import` of it loads it at once, and what each of its
 * getters loads besides. A server that waits needs no https, and zlib and the like for a moment only.
 */
function lazyBuiltin(path, names) {
  const load = `process.getBuiltinModule(${JSON.stringify(path)})`;
  return `module.exports = {\n${names.map((name) => `get ${name}() { return ${load}.${name}; },\n`).join('')}};`;
}

/** What is imported of each of Node's modules. */
function importedBuiltins() {
  const names = new Map();
  for (const file of globSync('dist/**/*.js', { cwd: root }))
    for (const [, list, path] of readFileSync(join(root, file), 'utf8').matchAll(
      /^import \{([^}]+)\} from '(node:.+)'/gm,
    )) {
      const known = names.get(path) ?? new Set();
      for (const [, name] of list.matchAll(/(?:^|,)\s*(\w+)/g)) known.add(name);
      names.set(path, known);
    }
  return names;
}

/** The files of a folder that others import, by what they say. */
function importedFrom(folder) {
  const others = globSync('dist/**/*.js', { cwd: root }).filter((path) => !join(root, path).startsWith(folder));
  const imports = others.flatMap((path) => [
    ...readFileSync(join(root, path), 'utf8').matchAll(/['"](?:\.\.?\/)+apiserver\/([^'"]+\.js)['"]/g),
  ]);
  return [...new Set(imports.map(([, path]) => path))];
}

// Puts the 670 compiled modules of dist/ into a few files. To find, link and compile as many modules takes Node longer than
// all else a command does at its start, and the compiler that then optimizes the functions that find them takes 5 MB.
import { mkdirSync, readFileSync, rmSync, globSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { build } from 'esbuild';

/** The modules that others load by their path: the package's exports and commands, test runners, workers, `require`, benchmarks. */
const ENTRIES = [
  '{index,testing,definitions,jest,vite}.js',
  'cli/bin/*.js',
  'cli/bundled/start-bundle.js',
  'test-runners/{jest-setup,jest-transformer,vitest-setup}.js',
  'compiler/compile.js',
  'cli/loader/load-alone.js',
  'simulation/{world/simulate-plan,worker/worker}.js',
  'apiserver/embedded-api-server.js',
];

/**
 * Modules that are loaded together, so that they become one chunk. esbuild makes a chunk of the modules that the same entries
 * need: without groups, a hundred chunks of one or two modules. A module belongs to the first group that matches; one that
 * imports a member from outside of the group imports the whole group.
 */
const GROUPS = [
  // Loads in old versions of Node, to print which one is needed. Without start.js, which loads all commands.
  { name: 'start', closureOf: ['{cli/{check-node-version,exit-when-flushed},compiler/cache-folder}.js'] },
  {
    name: 'log',
    modules: ['base/{pino-logger,text-log-line}.js', 'cli/{with-logger,exit-on-unhandled-error,stop-signal}.js'],
  },
  { name: 'basics', modules: ['{base,api,queue}/**/*.js'] },
  { name: 'crd', modules: ['crd/**/*.js'] },
  // Webhooks and metrics of an operator need certificates, but no API server.
  { name: 'pki', modules: ['pki/**/*.js'] },
  { name: 'server-basics', closureOf: ['apiserver/{errors/status-error,kubeconfig-file,storage/label-query}.js'] },
  { name: 'object-checker', closureOf: ['apiserver/custom-object-checker.js'] },
  { name: 'server', closureOf: ['apiserver/embedded-api-server.js'] },
  { name: 'cli', modules: ['cli/{report-error,find-files,shell-quoted}.js'] },
];

/**
 * Replaces the modules of a folder by entries and the chunks that these share. Each module exists once, so a class is the
 * same for all entries. A module that is loaded by `import()` is in a chunk that is loaded then.
 */
export async function bundle(folder) {
  const files = globSync('**/*.js', { cwd: folder }).sort();
  const texts = new Map(files.map((path) => [path, readFileSync(join(folder, path), 'utf8')]));
  const { outputFiles } = await build({
    entryPoints: globSync(ENTRIES, { cwd: folder }).map((path) => join(folder, path)),
    outbase: folder,
    outdir: folder,
    chunkNames: 'chunks/[name]-[hash]',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node22',
    packages: 'external',
    sourcemap: true,
    sourcesContent: false,
    plugins: [groupedModules(folder, texts), lazyBuiltins(texts)],
    write: false,
  });
  // Declarations stay: others refer to them.
  for (const path of globSync('**/*.{js,js.map}', { cwd: folder })) rmSync(join(folder, path));
  for (const { path, text } of outputFiles) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, path.endsWith('.js') ? asLatin1(withLocations(text, path, folder)) : text);
  }
  assertNamesKept(outputFiles, texts);
  await bundlePackage('class-validator', join(folder, 'packages'));
}

/** Puts the modules of an installed package, and what they import, into one file with the licences of all. */
async function bundlePackage(name, folder) {
  const root = join(import.meta.dirname, '..');
  const folderOf = (path) => join(root, 'node_modules', path);
  const { version } = JSON.parse(readFileSync(join(folderOf(name), 'package.json'), 'utf8'));
  const { metafile, outputFiles } = await build({
    stdin: {
      contents: `export * from '${name}'; import * as all from '${name}'; export default all;`,
      resolveDir: root,
    },
    absWorkingDir: root,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node22',
    mainFields: ['es2015', 'module', 'main'],
    minifyWhitespace: true,
    minifySyntax: true,
    metafile: true,
    write: false,
  });
  const packages = new Set(
    Object.keys(metafile.inputs).flatMap((path) => /node_modules\/([^/]+)/.exec(path)?.[1] ?? []),
  );
  const licences = [...packages].map((part) => {
    const [file] = globSync('LICENSE*', { cwd: folderOf(part) });
    if (file === undefined) throw new Error(`${part} has no licence that the bundle of ${name} could contain`);
    return `${part}\n\n${readFileSync(join(folderOf(part), file), 'utf8')}`;
  });
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    join(folder, `${name}-${version}.js`),
    asLatin1(`/*\n${licences.join('\n')}*/\n${outputFiles[0].text}`),
  );
}

/** Loads compiled modules, each with its groups. */
function groupedModules(folder, texts) {
  const groupOf = new Map();
  for (const { name, modules = [], closureOf = [] } of GROUPS)
    for (const path of [...globSync(modules, { cwd: folder }), ...closure(globSync(closureOf, { cwd: folder }), texts)])
      if (!groupOf.has(path)) groupOf.set(path, name);
  const importGroup = (name) => `import 'group:${name}';`;
  const neededBy = (path) => {
    const needed = new Set(['start', ...importsOf(path, texts).map((to) => groupOf.get(to))]);
    const own = groupOf.get(path);
    return [...needed].filter((name) => name !== undefined && name !== own);
  };
  return {
    name: 'grouped-modules',
    setup: ({ onResolve, onLoad }) => {
      onResolve({ filter: /^group:/ }, ({ path }) => ({ path: path.slice('group:'.length), namespace: 'group' }));
      onLoad({ filter: /.*/, namespace: 'group' }, ({ path }) => ({
        contents: [
          ...[...groupOf].filter(([, name]) => name === path).map(([member]) => `import './${member}';`),
          ...(path === 'start' ? [...importedBuiltins(texts).keys()].map((name) => `import '${name}';`) : []),
        ].join('\n'),
        resolveDir: folder,
      }));
      onLoad({ filter: /\.js$/ }, ({ path: file }) => {
        const path = relative(folder, file);
        const text = texts.get(path);
        if (text === undefined) return undefined;
        if (/import\.meta\.(?!url\b)/.test(text))
          throw new Error(`${path}: use import.meta.url, which the bundle keeps`);
        const located = text.replaceAll('import.meta.url', `LOCATION_OF("${path}")`);
        // esbuild renames a class expression that is called as its variable; one without a name is called as that.
        const named = located.replace(/^let (\w+) = class \1 /gm, 'let $1 = class ');
        return { contents: [named, ...neededBy(path).map(importGroup)].join('\n'), resolveDir: dirname(file) };
      });
    },
  };
}

/** The modules that modules import, directly or not, and those themselves. */
function closure(paths, texts) {
  const found = new Set(paths);
  for (const path of found) for (const to of importsOf(path, texts)) found.add(to);
  return found;
}

function importsOf(path, texts) {
  const imports = texts.get(path).matchAll(/^(?:import|export) (?:.* from )?'(\..+)'/gm);
  return [...imports].map(([, to]) => join(dirname(path), to));
}

/**
 * Loads each module of Node's by the first use of a member; `import` of it loads it immediately, and what each of its getters
 * loads besides. A server that waits needs no https, and zlib and the like for a moment only.
 */
function lazyBuiltins(texts) {
  const builtins = importedBuiltins(texts);
  return {
    name: 'lazy-builtins',
    setup: ({ onResolve, onLoad }) => {
      onResolve({ filter: /^node:/ }, ({ path, kind }) =>
        builtins.has(path) && kind !== 'dynamic-import' ? { path, namespace: 'builtin' } : { path, external: true },
      );
      onLoad({ filter: /.*/, namespace: 'builtin' }, ({ path }) => {
        const load = `process.getBuiltinModule(${JSON.stringify(path)})`;
        const getters = [...builtins.get(path)].map((name) => `get ${name}() { return ${load}.${name}; },\n`);
        return { contents: `module.exports = {\n${getters.join('')}};` };
      });
    },
  };
}

/** The members that are imported of each of Node's modules, except of modules that are imported as a whole. */
function importedBuiltins(texts) {
  const names = new Map();
  const whole = new Set();
  for (const text of texts.values())
    for (const [, list, path] of text.matchAll(/^import (.+) from '(node:.+)'/gm)) {
      if (!list.startsWith('{')) whole.add(path);
      const known = names.get(path) ?? new Set();
      for (const [, name] of list.matchAll(/[{,]\s*(\w+)/g)) known.add(name);
      names.set(path, known);
    }
  for (const path of whole) names.delete(path);
  return names;
}

/** Lets a module find files from where it was compiled to, wherever it is now. */
function withLocations(text, file, folder) {
  return text.replace(/LOCATION_OF\("([^"]+)"\)/g, (_, path) => {
    const target = relative(dirname(file), join(folder, path));
    return `new URL("${target}", import.meta.url).href`;
  });
}

/** V8 keeps a whole source in two bytes for each character as soon as one of them needs it. */
function asLatin1(text) {
  // As esbuild escapes what is in a string; it leaves regular expressions and comments as they are.
  return text.replace(/[^\0-\xff]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** Messages contain the names of classes, which esbuild changes where two in a chunk have the same. */
function assertNamesKept(outputFiles, texts) {
  const names = (text) => [...text.matchAll(/\bclass (\w+) (?:extends|\{)|\b(?:let|var|const) (\w+) = (?=class\b)/g)];
  const flat = (matches) => matches.map(([, declared, assigned]) => declared ?? assigned);
  const known = new Set([...texts.values()].flatMap((text) => flat(names(text))));
  for (const { path, text } of outputFiles)
    for (const name of path.endsWith('.js') ? flat(names(text)) : [])
      if (!known.has(name) && known.has(name.replace(/\d+$/, '')))
        throw new Error(`${path}: a class is named ${name}; rename it, or the one with the same name`);
}

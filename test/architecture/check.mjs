// Every check except the tests: `npm run check`. Runs all of them, two at a time after the build, prints which failed and
// why, exits 1 if any did.
import { execFile } from 'node:child_process';
import { globSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { folderCycles } from './folder-cycles.ts';
import { fragments, SMALL_LINES } from './granularity.ts';
import { checkLanguage } from './language-check.ts';
import { inheritedMembers } from './own-members.ts';
import { checkWorkflows } from './workflows-check.ts';

const root = join(import.meta.dirname, '..', '..');
const bin = (name) => join(root, 'node_modules', '.bin', name);
const packed = mkdtempSync(join(tmpdir(), 'kindwright-check-'));

/** With fewer modules than this, the layer check did not find the sources. */
const FEWEST_MODULES = 100;

/** The number of small files with one importer may not grow beyond this. */
const MOST_FRAGMENTS = 60;

function run(command, args) {
  return new Promise((resolve) => {
    execFile(command, args, { cwd: root, maxBuffer: 1 << 28 }, (error, stdout, stderr) => {
      resolve({ isOk: error === null, stdout, output: `${stdout}${stderr}` });
    });
  });
}

async function layers() {
  const args = ['--config', 'test/architecture/layers.cjs', '--output-type', 'json', 'src', 'operators'];
  const result = await run(bin('depcruise'), args);
  let summary;
  let modules;
  try {
    ({ summary, modules } = JSON.parse(result.stdout));
  } catch {
    return { isOk: false, output: result.output };
  }
  const lines = summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} → ${to}`);
  const imports = modules.flatMap(({ source, dependencies }) =>
    dependencies.map(({ resolved }) => ({ from: source, to: resolved })),
  );
  const isOfSources = ({ from, to }) => from.startsWith('src/') && to.startsWith('src/');
  lines.push(...folderCycles(imports.filter(isOfSources)).map((cycle) => `folders that import each other: ${cycle}`));
  if (summary.totalCruised < FEWEST_MODULES) lines.push(`only ${summary.totalCruised} modules found`);
  return { isOk: lines.length === 0, output: lines.join('\n'), note: `${summary.totalCruised} modules` };
}

/** The page of the console has a project of its own: it runs in a browser. */
async function types() {
  const tsc = 'node_modules/typescript-7/bin/tsc';
  const results = [];
  for (const project of ['.', 'src/console/ui']) results.push(await run(process.execPath, [tsc, '-p', project]));
  return { isOk: results.every(({ isOk }) => isOk), output: results.map(({ output }) => output).join('') };
}

function granularity() {
  const paths = globSync('src/**/*.{ts,tsx}', { cwd: root });
  const found = fragments(new Map(paths.map((path) => [path, readFileSync(join(root, path), 'utf8')])));
  const list = found.map(({ path, lines, importer }) => `  ${path} (${lines} lines, imported by ${importer})`);
  const output = `merge small files into their only importer; at most ${MOST_FRAGMENTS} may remain:\n${list.join('\n')}`;
  const note = `${found.length} files of at most ${SMALL_LINES} lines with one importer`;
  return { isOk: found.length <= MOST_FRAGMENTS, output, note };
}

async function tarball() {
  const result = await run('npm', ['pack', '--ignore-scripts', '--pack-destination', packed]);
  if (!result.isOk) return result;
  const [file] = readdirSync(packed);
  const checks = [
    await run(bin('publint'), [join(packed, file), '--strict']),
    await run(bin('attw'), [join(packed, file), '--profile', 'esm-only']),
  ];
  return { isOk: checks.every(({ isOk }) => isOk), output: checks.map(({ output }) => output).join('\n') };
}

async function apiReport() {
  const flags = process.argv.includes('--update-api') ? ['--local'] : [];
  const results = [];
  for (const entry of ['index', 'testing', 'definitions', 'vite', 'jest']) {
    const config = `test/architecture/api-extractor.${entry}.json`;
    results.push(await run(bin('api-extractor'), ['run', '--config', config, ...flags]));
  }
  return { isOk: results.every(({ isOk }) => isOk), output: results.map(({ output }) => output).join('\n') };
}

/** The prose of the pages, without code and links. Correct words that no dictionary has are in spelling-words.txt. */
function spelling() {
  const pages = globSync(['*.md', '{bench,test}/*.md', 'docs/**/*.md'], { cwd: root, exclude: ['docs/api/**'] });
  const config = ['--config', 'test/architecture/spelling.json', '--no-progress', '--show-suggestions'];
  return run(bin('cspell'), ['lint', ...config, ...pages]);
}

const build = ['build', () => run(process.execPath, ['tools/build.mjs', '--pack'])];

async function lint() {
  const result = await run(bin('oxlint'), ['--format', 'unix', 'src', 'operators', 'test', 'bench']);
  const inherited = inheritedMembers(root);
  return { isOk: result.isOk && inherited.length === 0, output: [result.output, ...inherited].join('\n') };
}

/** The longest first. */
const checks = [
  ['API report', apiReport],
  ['lint', lint],
  ['format', () => run(bin('prettier'), ['--check', '--log-level', 'warn', '.'])],
  ['types', types],
  ['spelling', spelling],
  ['layers', layers],
  ['dead code', () => run(bin('knip'), [])],
  ['package', tarball],
  ['granularity', granularity],
  ['language', () => checkLanguage(root)],
  ['workflows', () => checkWorkflows(root)],
  ['manifests', () => run(process.execPath, ['dist/cli/bin/generate-manifests.js', '--check'])],
];

const chosen = process.argv.slice(2).filter((name) => !name.startsWith('--'));
let failed = 0;

async function perform([name, check]) {
  const start = performance.now();
  const { isOk, output, note } = await check();
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  console.log(`${isOk ? 'ok    ' : 'FAILED'} ${name} ${seconds} s${note ? `, ${note}` : ''}`);
  if (!isOk) {
    failed += 1;
    console.log(output.trimEnd());
  }
}

async function performAll(waiting) {
  for (let next = waiting.shift(); next; next = waiting.shift()) await perform(next);
}

const isChosen = ([name]) => chosen.length === 0 || chosen.includes(name);
await performAll([build].filter(isChosen));
const waiting = checks.filter(isChosen);
await Promise.all([performAll(waiting), performAll(waiting)]);
rmSync(packed, { recursive: true, force: true });
process.exit(failed === 0 ? 0 : 1);

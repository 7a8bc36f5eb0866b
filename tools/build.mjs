// Compiles src/ to dist/ unless that is done, from nothing so that no removed file lives on, and makes the commands
// callable with npx here: npm links the bins of dependencies only.
// TypeScript 7 compiles it, in a fifth of the time of TypeScript 6, which is installed for tools that require it.
// With `--pack`, as npm pack needs it: the declarations are rolled up.
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
import { buildUi } from './build-ui.mjs';
import { bundle } from './bundle.mjs';
import { areRolledUp, rollUpDeclarations } from './roll-up-declarations.mjs';

const root = join(import.meta.dirname, '..');
const dist = join(root, 'dist');
const tsc = join(root, 'node_modules', 'typescript-7', 'bin', 'tsc');
const { bin } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const bins = join(root, 'node_modules', '.bin');
/** Files that modules read from their folder. */
const DATA = ['apiserver/data/kubernetes-1.36.bin', 'resource/definitions/kubernetes-1.36-schemas.bin'];
const mark = join(root, 'node_modules', '.cache', 'kindwright-build');

if (!existsSync(mark) || readFileSync(mark, 'utf8') !== fingerprint()) {
  await compile();
  markBuilt();
}
if (process.argv.includes('--pack') && !areRolledUp(dist)) {
  rmSync(mark);
  await rollUpDeclarations(dist);
  markBuilt();
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
  rmSync(dist, { recursive: true, force: true });
  // Its entries are good for one version of the package; here the loader changes within a version.
  rmSync(join(root, 'node_modules', '.cache', 'kindwright'), { recursive: true, force: true });
  try {
    execFileSync(process.execPath, [tsc, '-p', join(root, 'src')], { stdio: 'inherit' });
  } catch {
    process.exit(1);
  }
  await bundle(dist);
  await buildUi(root, dist);
  for (const path of DATA) cpSync(join(root, 'src', path), join(dist, path));
}

function markBuilt() {
  mkdirSync(dirname(mark), { recursive: true });
  writeFileSync(mark, fingerprint());
}

/** The sources, the compiler and the results of a build. */
function fingerprint() {
  const own = join(relative(root, import.meta.dirname), '*.mjs');
  const found = globSync(['{src,dist}/**/*.*', '{package,package-lock,tsconfig}.json', own], { cwd: root });
  const hash = createHash('sha256');
  for (const path of found.sort())
    hash
      .update(`${path}\0`)
      .update(readFileSync(join(root, path)))
      .update('\0');
  return hash.digest('hex');
}

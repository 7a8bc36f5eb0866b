// Compiles src/ to dist/, from nothing so that no removed file lives on, and makes the commands callable with npx here:
// npm links the bins of dependencies only.
import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, relative } from 'node:path';

const root = join(import.meta.dirname, '..', '..');
const tsc = createRequire(import.meta.url).resolve('typescript/bin/tsc');
const { bin } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const bins = join(root, 'node_modules', '.bin');

rmSync(join(root, 'dist'), { recursive: true, force: true });
// Its entries are good for one version of the package; here the loader changes within a version.
rmSync(join(root, 'node_modules', '.cache', 'kindwright'), { recursive: true, force: true });
try {
  execFileSync(process.execPath, [tsc, '-p', join(root, 'src')], { stdio: 'inherit' });
} catch {
  process.exit(1);
}
cpSync(
  join(root, 'src', 'apiserver', 'data', 'kubernetes-1.36.bin'),
  join(root, 'dist', 'apiserver', 'data', 'kubernetes-1.36.bin'),
);
for (const [name, path] of Object.entries(bin)) {
  const target = join(root, path);
  chmodSync(target, 0o755);
  if (!existsSync(bins)) continue;
  rmSync(join(bins, name), { force: true });
  symlinkSync(relative(bins, target), join(bins, name));
}

// Compiles src/ to dist/: JavaScript, declarations and source maps, from nothing, so that no removed file lives on.
import { execFileSync } from 'node:child_process';
import { chmodSync, readdirSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const tsc = createRequire(import.meta.url).resolve('typescript/bin/tsc');
const dist = join(root, 'dist');

rmSync(dist, { recursive: true, force: true });
try {
  execFileSync(process.execPath, [tsc, '-p', join(root, 'src')], { stdio: 'inherit' });
} catch {
  process.exit(1);
}
for (const bin of readdirSync(join(dist, 'cli', 'bin')))
  if (bin.endsWith('.js')) chmodSync(join(dist, 'cli', 'bin', bin), 0o755);

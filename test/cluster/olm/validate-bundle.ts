import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const execute = promisify(execFile);
const source = join(import.meta.dirname, 'validator');

/** What a validator of the Operator Framework found in a bundle. */
export interface Finding {
  readonly validator: string;
  readonly level: 'Error' | 'Warning';
  readonly message: string;
}

/** Runs the validators of `operator-sdk bundle validate --select-optional suite=operatorframework`. */
export async function validateBundle(folder: string): Promise<Finding[]> {
  const { stdout } = await execute(await validator(), [folder]);
  return JSON.parse(stdout) as Finding[];
}

/** The program, built once for each version of its source: about four minutes without Go's caches. */
async function validator(): Promise<string> {
  const text = ['main.go', 'go.mod', 'go.sum'].map((file) => readFileSync(join(source, file), 'utf8')).join('');
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 12);
  const folder = join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'controlplane', 'olm');
  const program = join(folder, `validator-${hash}`);
  if (existsSync(program)) return program;
  mkdirSync(folder, { recursive: true });
  const unfinished = `${program}.${String(process.pid)}`;
  await execute('go', ['build', '-buildvcs=false', '-o', unfinished, '.'], { cwd: source });
  renameSync(unfinished, program);
  return program;
}

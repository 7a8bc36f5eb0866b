// The embedded server: its start and its memory, and what a first test in a process takes.
// Usage: npm run build && npm run bench:embedded -- [--runs 10]
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import ts from 'typescript';
import { median, table } from './report.ts';

const root = join(import.meta.dirname, '..');
const { values } = parseArgs({ options: { runs: { type: 'string', default: '10' } } });

type Figures = Readonly<Record<string, number>>;

/** The memory is measured after the timers of the start, before the first request. */
const SETTLE_MS = 200;

const SERVER = `
const { readFileSync } = await import('node:fs');
const cpuMs = () => Number(readFileSync('/proc/self/schedstat', 'utf8').split(' ', 1)[0]) / 1e6;
const begin = performance.now();
const loaded = cpuMs();
const { EmbeddedApiServer } = await import(${JSON.stringify(join(root, 'dist', 'apiserver', 'embedded-api-server.js'))});
const server = await EmbeddedApiServer.start();
console.log(performance.now() - begin, cpuMs() - loaded);
process.once('SIGTERM', () => server.stop());
`;

/** Starts a program that prints a line once it is ready. */
async function measureProgram(args: readonly string[]): Promise<{ readyMs: number; line: string; residentMb: number }> {
  const begin = performance.now();
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'ignore'] });
  const [line] = (await once(child.stdout.setEncoding('utf8'), 'data')) as [string];
  const readyMs = performance.now() - begin;
  await delay(SETTLE_MS);
  const status = readFileSync(`/proc/${child.pid ?? 0}/status`, 'utf8');
  child.kill('SIGTERM');
  await once(child, 'exit');
  return { readyMs, line, residentMb: Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) / 1024 };
}

async function measureServers(): Promise<Figures> {
  const plain = await measureProgram(['--input-type=module', '--eval', SERVER]);
  const [wallMs = Number.NaN, cpuMs = Number.NaN] = plain.line.split(' ').map(Number);
  const serve = await measureProgram([join(root, 'dist', 'cli', 'bin', 'kindwright.js'), 'serve']);
  return {
    'EmbeddedApiServer: import to ready, ms': wallMs,
    'EmbeddedApiServer: import to ready, CPU ms of the main thread': cpuMs,
    'EmbeddedApiServer: resident memory, MB': plain.residentMb,
    'kindwright serve: exec to ready, ms': serve.readyMs,
    'kindwright serve: resident memory, MB': serve.residentMb,
  };
}

function measureTests(program: string): Figures {
  const figures = JSON.parse(execFileSync(process.execPath, [program], { encoding: 'utf8' })) as Record<string, number>;
  return {
    'first test of a process, ms': figures['firstMs'] ?? Number.NaN,
    'first test of a process, CPU ms of the main thread': figures['firstCpuMs'] ?? Number.NaN,
    'further test, ms': figures['warmMs'] ?? Number.NaN,
    '50 tests immediately, ms': figures['atOnceMs'] ?? Number.NaN,
  };
}

/** Compiled where it finds the package as an installed one. */
function compileTo(folder: string, file: string): string {
  const compilerOptions = {
    target: ts.ScriptTarget.ES2023,
    module: ts.ModuleKind.ESNext,
    experimentalDecorators: true,
    emitDecoratorMetadata: true,
    useDefineForClassFields: false,
  };
  const { outputText } = ts.transpileModule(readFileSync(join(root, file), 'utf8'), { compilerOptions });
  const output = join(folder, file.replace(/\.ts$/, '.js'));
  mkdirSync(dirname(output), { recursive: true });
  writeFileSync(output, outputText);
  return output;
}

const folder = mkdtempSync(join(tmpdir(), 'kindwright-bench-'));
try {
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(root, join(folder, 'node_modules', 'kindwright'));
  symlinkSync(join(root, 'node_modules', 'class-validator'), join(folder, 'node_modules', 'class-validator'));
  compileTo(folder, 'operators/podset.ts');
  const program = compileTo(folder, 'bench/first-test.ts');
  const runs: Figures[] = [];
  for (let i = 0; i < Number(values.runs); i++) runs.push({ ...(await measureServers()), ...measureTests(program) });
  const rows = Object.keys(runs[0] ?? {}).map((title) => {
    const numbers = runs.map((run) => run[title] ?? Number.NaN);
    return [
      title,
      ...[median(numbers), Math.min(...numbers), Math.max(...numbers)].map((n) => n.toFixed(n < 10 ? 1 : 0)),
    ];
  });
  console.log(table([`${values.runs} runs`, 'median', 'min', 'max'], rows));
} finally {
  rmSync(folder, { recursive: true, force: true });
}

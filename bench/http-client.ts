// Our HTTP/1.1 client beside undici's Pool.dispatch, below the same Requester and Watcher, against one TLS server.
// With --before, beside our client in another work tree, which has the state before a change, instead of undici.
// Usage: npm run bench:http-client -- [--objects 20000] [--writes 20000] [--rounds 5] [--before FOLDER]
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';
import { median, table } from './report.ts';

const { values } = parseArgs({
  options: {
    objects: { type: 'string', default: '20000' },
    writes: { type: 'string', default: '20000' },
    rounds: { type: 'string', default: '5' },
    before: { type: 'string' },
  },
});
const OWN = 'own';
const BEFORE = 'before';
const TRANSPORTS = [OWN, values.before === undefined ? 'undici' : BEFORE];
const SCENARIOS = ['write', 'stream', 'list'];

type Figures = Readonly<Record<string, number>>;

/** Runs one transport through one scenario in a new process, so that neither inherits compiled code or memory. */
function measure(folder: string, transport: string, scenario: string, server: string): Figures {
  const isBefore = transport === BEFORE;
  const program = join(folder, isBefore ? BEFORE : OWN, 'candidate.mjs');
  const args = [program, isBefore ? OWN : transport, scenario, server, values.writes];
  const { stdout, stderr, status } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${transport} ${scenario} failed: ${stderr}`);
  const { objects, ...figures } = JSON.parse(stdout) as Record<string, number>;
  const expected = scenario === 'write' ? 0 : Number(values.objects);
  if (objects !== expected) throw new Error(`${transport} ${scenario}: ${objects} objects instead of ${expected}`);
  return figures;
}

function report(results: ReadonlyMap<string, readonly Figures[]>): string {
  const medianOf = (transport: string, title: string): number =>
    median((results.get(transport) ?? []).flatMap((figures) => figures[title] ?? []));
  const titles = new Set((results.get(OWN) ?? []).flatMap(Object.keys));
  const rows = [...titles].map((title) => {
    const own = medianOf(OWN, title);
    const cells = TRANSPORTS.map((transport) => {
      const value = medianOf(transport, title);
      const ratio = transport === OWN ? '' : ` (${(value / own).toFixed(2)})`;
      return value.toFixed(value < 100 ? 1 : 0) + ratio;
    });
    return [title, ...cells];
  });
  return table([`${values.objects} objects, median of ${values.rounds}`, ...TRANSPORTS], rows);
}

async function bundle(source: string, outdir: string): Promise<void> {
  await build({
    entryPoints: ['server', 'candidate'].map((name) => join(source, 'bench', 'http-client', `${name}.ts`)),
    outdir,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    packages: 'external',
  });
}

const root = join(import.meta.dirname, '..');
// Within the package, where undici is found.
const folder = mkdtempSync(join(root, 'node_modules', '.cache', 'bench-http-client-'));
try {
  await bundle(root, join(folder, OWN));
  if (values.before !== undefined) await bundle(values.before, join(folder, BEFORE));
  const child = spawn(process.execPath, [join(folder, OWN, 'server.mjs'), values.objects], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  const results = new Map(TRANSPORTS.map((transport): [string, Figures[]] => [transport, []]));
  for (let round = 0; round < Number(values.rounds); round++)
    for (const scenario of SCENARIOS)
      for (const transport of TRANSPORTS) results.get(transport)?.push(measure(folder, transport, scenario, line));
  console.log(report(results));
  child.stdin.end();
  await once(child, 'exit');
} finally {
  rmSync(folder, { recursive: true, force: true });
}

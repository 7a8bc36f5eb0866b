// Records `npm start` in a terminal and writes docs/images/demo.svg: npm run generate:recording
// Needs `script` of util-linux, which gives the program a terminal of its own.
import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { terminalSvg, type Output } from './terminal-svg.ts';

const COLUMNS = 110;
const ROWS = 32;
const RECORDED_MS = 9_000;

const root = join(import.meta.dirname, '..', '..');
const target = join(root, 'docs', 'images', 'demo.svg');

const command = `stty cols ${COLUMNS} rows ${ROWS}; exec npm start --silent`;
const child = spawn('script', ['-qfec', command, '/dev/null'], {
  cwd: root,
  env: { ...process.env, NO_COLOR: undefined, TERM: 'xterm-256color', FORCE_COLOR: '1' },
  stdio: ['pipe', 'pipe', 'inherit'],
});
const output: Output[] = [{ atMs: 0, text: '\x1b[1m$ npm start\x1b[0m\r\n' }];
const startMs = performance.now();
child.stdout.setEncoding('utf8').on('data', (text: string) => {
  output.push({ atMs: Math.round(performance.now() - startMs), text });
});
await new Promise((resolve) => setTimeout(resolve, RECORDED_MS));
const recorded = [...output];
child.stdin.write('\x03');
await new Promise((resolve) => child.once('close', resolve));

const kubeconfig = /\/\S*\/kubeconfig\S*/g;
const svg = await terminalSvg(
  recorded.map(({ atMs, text }) => ({ atMs, text: text.replaceAll(kubeconfig, '/tmp/kindwright/kubeconfig') })),
  { columns: COLUMNS, rows: ROWS, frameMs: 60, holdMs: 4_000 },
);
mkdirSync(join(target, '..'), { recursive: true });
writeFileSync(target, svg);
console.log(`wrote ${target} (${Math.round(svg.length / 1024)} KB)`);

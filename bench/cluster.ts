// Operators with kindwright and with controller-runtime on a real control plane: requests, CPU time of the operator and of
// kube-apiserver, memory, and the time until all objects are right; prints medians. See README.md.
// Usage: npm run bench:cluster -- [--objects 2000] [--nodes 500] [--runs 3] [--workers 2] [--only kindwright,…]
//        [--scenarios size-0,size-3,nodes] [--profile FOLDER]
// With --profile, each kindwright process writes its CPU profile to the folder.
import { parseArgs } from 'node:util';
import { CANDIDATES } from './cluster/candidates.ts';
import { runScenario } from './cluster/cluster-run.ts';
import type { Measurement } from './cluster/measurement.ts';
import { SCENARIOS, STEPS } from './cluster/scenarios.ts';
import { median, table } from './report.ts';

const { values } = parseArgs({
  options: {
    objects: { type: 'string', default: '2000' },
    nodes: { type: 'string', default: '500' },
    runs: { type: 'string', default: '3' },
    workers: { type: 'string', default: '2' },
    only: { type: 'string', default: CANDIDATES.map(({ name }) => name).join(',') },
    scenarios: { type: 'string', default: SCENARIOS.map(({ name }) => name).join(',') },
    profile: { type: 'string' },
  },
});

const candidates = named(CANDIDATES, values.only);
const scenarios = named(SCENARIOS, values.scenarios);
const stop = new AbortController();
for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => stop.abort());

/** By candidate and step. */
const results = new Map<string, Measurement[]>();
try {
  for (const candidate of candidates) candidate.build();
  for (let run = 1; run <= Number(values.runs); run++) {
    for (const scenario of scenarios) for (const candidate of candidates) await runOnce(run, scenario, candidate);
  }
} catch (error) {
  if (!stop.signal.aborted) throw error;
  console.error('stopped; the table shows the completed steps');
  process.exitCode = 130;
}
printTables();

function named<T extends { readonly name: string }>(all: readonly T[], names: string): T[] {
  const unknown = names.split(',').filter((name) => !all.some((each) => each.name === name));
  if (unknown.length === 0) return all.filter(({ name }) => names.split(',').includes(name));
  throw new Error(`unknown: ${unknown.join(', ')}; use ${all.map(({ name }) => name).join(', ')}`);
}

async function runOnce(
  run: number,
  scenario: (typeof SCENARIOS)[number],
  candidate: (typeof CANDIDATES)[number],
): Promise<void> {
  stop.signal.throwIfAborted();
  await runScenario({
    candidate,
    scenario,
    count: Number(values[scenario.counts]),
    workers: Number(values.workers),
    ...(values.profile !== undefined && { profileFolder: values.profile }),
    signal: stop.signal,
    report: (step, measurement) => {
      const key = resultKey(candidate.name, step);
      results.set(key, [...(results.get(key) ?? []), measurement]);
      const { seconds, operatorCpu, apiServerCpu } = measurement;
      const figures = [seconds, operatorCpu, apiServerCpu].map((value) => value.toFixed(2)).join(', ');
      console.error(
        `run ${run}: ${candidate.name}: ${step}: s, CPU s of the operator and of kube-apiserver: ${figures}`,
      );
    },
  });
}

function printTables(): void {
  const columns: readonly (readonly [string, (measurement: Measurement) => number])[] = [
    ['s until right', ({ seconds }) => seconds],
    ['operator CPU, s', ({ operatorCpu }) => operatorCpu],
    ['kube-apiserver CPU, s', ({ apiServerCpu }) => apiServerCpu],
    ['reconciles per object', ({ reconciles }) => reconciles],
    ['memory, MB', ({ residentMb }) => residentMb],
    ['peak, MB', ({ peakMb }) => peakMb],
  ];
  const base = candidates.at(-1)?.name ?? '';
  const rows = candidates.flatMap(({ name }) =>
    STEPS.filter((step) => results.has(resultKey(name, step))).map((step) => [
      step,
      name,
      ...columns.map(([, pick]) => cell(step, name, base, pick)),
      requests(name, step),
    ]),
  );
  rows.sort(([a = ''], [b = '']) => STEPS.indexOf(a as Step) - STEPS.indexOf(b as Step));
  const { objects, nodes, runs, workers } = values;
  console.log(
    `${objects} PodSets, ${nodes} nodes, ${workers} workers, median of ${runs}, in brackets the ratio to ${base}`,
  );
  console.log(table(['step', 'SDK', ...columns.map(([title]) => title), 'requests per object'], rows));
}

type Step = (typeof STEPS)[number];

function cell(step: Step, name: string, base: string, pick: (measurement: Measurement) => number): string {
  const of = (candidate: string): number => median((results.get(resultKey(candidate, step)) ?? []).map(pick));
  const value = of(name);
  const text = value.toFixed(value < 20 ? 1 : 0);
  return name === base ? text : `${text} (${(value / of(base)).toFixed(2)})`;
}

function requests(name: string, step: Step): string {
  const all = results.get(resultKey(name, step)) ?? [];
  const kinds = [...new Set(all.flatMap((measurement) => Object.keys(measurement.requests)))].sort();
  const shown = kinds.flatMap((kind) => {
    const count = median(all.map((measurement) => measurement.requests[kind] ?? 0));
    return count < 0.005 ? [] : [`${kind} ${count.toFixed(2)}`];
  });
  return shown.length === 0 ? 'none' : shown.join(', ');
}

function resultKey(candidate: string, step: string): string {
  return `${candidate}: ${step}`;
}

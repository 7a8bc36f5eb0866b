// Measures how many schedules of PodSet a simulation plays, and compares the hashes of runs that are played twice.
// `node bench/simulate.ts [runs] [double]`; needs `npm run build`. The time is the CPU time of the process.
import { join } from 'node:path';

const MODULE = '../dist/simulation/world/simulate-plan.js';
interface Runner extends AsyncDisposable {
  run(plan: object): Promise<{ readonly hash: string }>;
}
const { Simulation } = (await import(MODULE)) as {
  readonly Simulation: { load(files: readonly string[]): Promise<Runner> };
};
const [runs = '300', mode] = process.argv.slice(2);
const isDouble = mode === 'double';
const object = {
  apiVersion: 'apps.jicki.cn/v1alpha1',
  kind: 'PodSet',
  metadata: { name: 'a', namespace: 'default' },
  spec: { size: 3 },
};
const workload = [
  { do: 'create', object },
  { do: 'patch', object: 'PodSet default/a', patch: { spec: { size: 1 } }, after: 'quiet' },
];
const WARM_UP = 50;

await using simulation = await Simulation.load([join(import.meta.dirname, '../operators/podset.ts')]);
const play = (seed: number) =>
  simulation.run({ seed, given: [], workload, faults: [], replicas: 1, nodes: 2, schedule: 'random' });
for (let seed = 0; seed < WARM_UP; seed++) await play(seed);
const cpu = process.cpuUsage();
const startMs = performance.now();
let equal = 0;
for (let seed = 0; seed < Number(runs); seed++) {
  const { hash } = await play(seed);
  if (isDouble && (await play(seed)).hash === hash) equal += 1;
}
const { user, system } = process.cpuUsage(cpu);
const played = Number(runs) * (isDouble ? 2 : 1);
const cpuMs = (user + system) / 1000 / played;
console.log(
  `${played} schedules, ${cpuMs.toFixed(1)} ms of CPU each: ${Math.round(60_000 / cpuMs)} a minute and processor`,
);
console.log(`${((performance.now() - startMs) / played).toFixed(1)} ms of real time each`);
if (isDouble) console.log(`${equal} of ${runs} seeds have equal hashes`);

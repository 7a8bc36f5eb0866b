import { median, table } from '../report.ts';

/** The figures of all rounds by name. */
export type Results = Record<string, number[]>;

/** The goals: a limit of the figure, or of its ratio to the peer. */
const GOALS: Readonly<Record<string, readonly ['≤' | '≥' | '<' | 'ratio ≤', number]>> = {
  'validate, CPU µs': ['ratio ≤', 0.8],
  'validate, reviews/s/core': ['≥', 11_000],
  'validate, one connection: p99 ms': ['<', 5],
  'validate, 1,000/s: p99 ms': ['<', 5],
  'mutate, CPU µs': ['ratio ≤', 0.8],
  'mutate, reviews/s/core': ['≥', 8000],
  'mutate, one connection: p99 ms': ['<', 5],
  'mutate, 1,000/s: p99 ms': ['<', 5],
  'conversion, CPU µs per object of 2 KB': ['≤', 40],
  '500 objects, ms': ['≤', 25],
  '10,000 objects, ms': ['≤', 1000],
  'admission p99 beside 10,000 objects, ms': ['<', 20],
  'embedded server: create with one webhook, ms': ['≤', 1.5],
  'start-up added, ms': ['≤', 30],
  'memory added, MB': ['≤', 10],
};

function isHeld(name: string, value: number, peer: number): boolean {
  const [comparison, limit] = GOALS[name] ?? ['≤', Infinity];
  switch (comparison) {
    case '≥':
      return value >= limit;
    case '<':
      return value < limit;
    case 'ratio ≤':
      return value / peer <= limit;
    case '≤':
      return value <= limit;
  }
}

/** Prints the median of each figure with its goal. */
export function printResults(rounds: string, ours: Results, peer: Results): void {
  const digits = (value: number): string => value.toFixed(Math.abs(value) < 10 ? 2 : Math.abs(value) < 100 ? 1 : 0);
  const rows = Object.entries(ours).map(([name, all]) => {
    const value = median(all);
    const other = median(peer[name] ?? []);
    const goal = GOALS[name];
    return [
      name,
      digits(value),
      Number.isNaN(other) ? '' : `${digits(other)} (${(value / other).toFixed(2)})`,
      goal ? goal.join(' ') : '',
      goal ? (isHeld(name, value, other) ? 'held' : 'not held') : '',
    ];
  });
  console.log(`median of ${rounds}, in brackets the ratio of kindwright to controller-runtime`);
  console.log(table(['', 'kindwright', 'controller-runtime', 'goal', ''], rows));
}

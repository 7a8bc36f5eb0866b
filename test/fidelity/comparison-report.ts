import type { ApiCall } from './api-endpoint.js';

interface Tally {
  total: number;
  equal: number;
  events: number;
  watch: readonly string[];
}

/** How many replies were equal, by kind, and the rest in full. */
export class ComparisonReport {
  private readonly tallies = new Map<string, Tally>();
  private readonly unequal: string[] = [];

  get equalShare(): number {
    const all = [...this.tallies.values()];
    return sum(all.map(({ equal }) => equal)) / sum(all.map(({ total }) => total));
  }

  add(title: string, call: ApiCall, found: readonly string[]): void {
    const tally = this.tally(title);
    tally.total++;
    if (found.length === 0) tally.equal++;
    else this.unequal.push(`[${title}] ${describeCall(call)}\n  ${found.slice(0, 6).join('\n  ')}`);
  }

  addWatch(title: string, found: readonly string[], events: number): void {
    Object.assign(this.tally(title), { watch: found, events });
  }

  /** One line per kind. */
  summary(): string {
    const lines = [...this.tallies].map(
      ([title, { total, equal, events, watch }]) =>
        `${title}: ${equal} of ${total} replies equal (${percent(equal / total)}); ` +
        `${events} watch events, ${watch.length === 0 ? 'all equal' : `differing first at ${watch[0] ?? ''}`}`,
    );
    return [...lines, `all: ${percent(this.equalShare)} of the replies equal`].join('\n');
  }

  /** Each request whose replies differ, and where they do. */
  details(): string {
    return this.unequal.join('\n');
  }

  private tally(title: string): Tally {
    let tally = this.tallies.get(title);
    if (!tally) this.tallies.set(title, (tally = { total: 0, equal: 0, events: 0, watch: [] }));
    return tally;
  }
}

function describeCall({ method, path, contentType, accept, body }: ApiCall): string {
  const types = [contentType, accept].filter((type) => type !== undefined).join(', ');
  return `${method} ${path} ${types} ${body === undefined ? '' : JSON.stringify(body)}`;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

function percent(share: number): string {
  return `${(share * 100).toFixed(2)}%`;
}

import type { ApiCall, ApiReply } from './api-endpoint.js';
import { knownDifferences } from './known-differences.js';
import type { KnownDifference } from './known-difference.js';

/** A request and what became of it on both servers, normalised. */
export interface ComparedCall {
  readonly title: string;
  readonly call: ApiCall;
  readonly ours: ApiReply;
  readonly real: ApiReply;
  /** Where the replies differ. */
  readonly found: readonly string[];
}

/** A watch and where its events differ. */
export interface ComparedWatch {
  readonly title: string;
  readonly path: string;
  readonly found: readonly string[];
  /** True if both streams have the same events, except those of a write that changed nothing. */
  readonly isSameNews: boolean;
}

interface Tally {
  total: number;
  equal: number;
  streams: number;
  equalStreams: number;
  events: number;
}

/** The number of equal responses and streams by kind, and the differences by known difference. */
export class ComparisonReport {
  private readonly tallies = new Map<string, Tally>();
  private readonly counts = new Map<KnownDifference, number>();
  private readonly texts: string[] = [];
  /** Differences that no entry of the list matches. */
  readonly unlisted: string[] = [];

  /** Of replies and streams together. */
  get equalShare(): number {
    const all = [...this.tallies.values()];
    const of = (tally: (one: Tally) => number): number => all.reduce((total, one) => total + tally(one), 0);
    return of(({ equal, equalStreams }) => equal + equalStreams) / of(({ total, streams }) => total + streams);
  }

  /** Entries of the list that matched nothing. */
  get obsolete(): KnownDifference[] {
    return knownDifferences.filter((known) => known.isByChance !== true && !this.counts.has(known));
  }

  add(compared: ComparedCall): void {
    const tally = this.tally(compared.title);
    tally.total++;
    if (compared.found.length === 0) tally.equal++;
    else this.file(describeCall(compared), compared.found, (known) => known.matches?.(compared) === true);
  }

  addWatch(watch: ComparedWatch, events: number): void {
    const tally = this.tally(watch.title);
    tally.streams++;
    tally.events += events;
    if (watch.found.length === 0) tally.equalStreams++;
    else this.file(`[${watch.title}] ${watch.path}`, watch.found, (known) => known.matchesWatch?.(watch) === true);
  }

  /** One line per kind, one per known difference, and the share. */
  summary(): string {
    const kinds = [...this.tallies].map(
      ([title, { total, equal, streams, equalStreams, events }]) =>
        `${title}: ${equal} of ${total} replies equal (${percent(equal / total)}); ` +
        `${equalStreams} of ${streams} watches with ${events} events`,
    );
    const known = [...this.counts].sort(([, a], [, b]) => b - a).map(([{ why }, count]) => `${count} × ${why}`);
    const share = `all: ${percent(this.equalShare)} of replies and watches equal`;
    return [...kinds, `known differences:`, ...known, `${this.unlisted.length} × not on the list`, share].join('\n');
  }

  /** Each request with different responses, and the differences. */
  details(): string {
    return this.texts.join('\n');
  }

  private file(title: string, found: readonly string[], isOf: (known: KnownDifference) => boolean): void {
    const known = knownDifferences.find(isOf);
    const text = `${title}\n  ${found.slice(0, 6).join('\n  ')}`;
    this.texts.push(known ? `${text}\n  known: ${known.why}` : text);
    if (known) this.counts.set(known, (this.counts.get(known) ?? 0) + 1);
    else this.unlisted.push(text);
  }

  private tally(title: string): Tally {
    let tally = this.tallies.get(title);
    if (!tally) {
      tally = { total: 0, equal: 0, streams: 0, equalStreams: 0, events: 0 };
      this.tallies.set(title, tally);
    }
    return tally;
  }
}

function describeCall({ title, call: { method, path, contentType, accept, body } }: ComparedCall): string {
  const types = [contentType, accept].filter((type) => type !== undefined).join(', ');
  return `[${title}] ${method} ${path} ${types} ${body === undefined ? '' : JSON.stringify(body)}`;
}

function percent(share: number): string {
  return `${(share * 100).toFixed(2)}%`;
}

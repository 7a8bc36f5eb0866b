import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { outcomeOf, type Change } from './change.js';
import type { StoredJson } from './loaded-kind.js';

interface State {
  readonly revision: number;
  /** Undefined: gone. */
  readonly object: StoredJson | undefined;
}

const NEVER_SEEN: State = { revision: 0, object: undefined };

/** The acknowledged state of each object, and the requests without a response. */
export class Ledger {
  /** All violations of the guarantees of the server. */
  readonly problems: string[] = [];
  /** The highest resourceVersion in a response. */
  highest = 0;
  /** The number of writes without a response that were stored, and that were not. */
  readonly unansweredWrites = { done: 0, notDone: 0 };
  private readonly states = new Map<string, State>();
  private readonly unanswered = new Map<string, Set<Change>>();
  private readonly contents = new Map<number, string>();

  object(key: string): StoredJson | undefined {
    return this.states.get(key)?.object;
  }

  /**
   * Records the start of a change, and returns a function for its response. Without a response the change may or may not be
   * stored.
   */
  begin(key: string, change: Change): Answer {
    const { highest } = this;
    const before = this.states.get(key)?.object;
    const changes = this.unanswered.get(key) ?? new Set();
    this.unanswered.set(key, changes.add(change));
    return {
      refused: () => changes.delete(change),
      acknowledged: (reply) => {
        changes.delete(change);
        this.acknowledge(key, change, { before, highest, reply });
      },
    };
  }

  /** Records an object that the server returned, or with `isGone` the last state of a deleted one. */
  observe(key: string, object: StoredJson, isGone = false): void {
    const revision = this.note(key, object);
    if (revision <= (this.states.get(key) ?? NEVER_SEEN).revision) return;
    this.states.set(key, { revision, object: isGone ? undefined : object });
  }

  /** A restarted server must have the acknowledged state, or that state with changes that had no response. */
  verify(found: ReadonlyMap<string, StoredJson>, revision: number): void {
    if (revision < this.highest) this.problems.push(`resourceVersion went from ${this.highest} to ${revision}`);
    for (const key of new Set([...this.states.keys(), ...found.keys()])) {
      const state = this.states.get(key) ?? NEVER_SEEN;
      const object = found.get(key);
      this.compare(key, state, object);
      this.states.set(key, { revision: object ? this.note(key, object) : state.revision, object });
    }
    this.unanswered.clear();
  }

  private compare(key: string, state: State, object: StoredJson | undefined): void {
    if (isDeepStrictEqual(object, state.object)) this.unansweredWrites.notDone += this.unanswered.get(key)?.size ?? 0;
    else if (this.isExplained(key, state, object)) this.unansweredWrites.done += 1;
    else this.problems.push(`${key}: ${text(state.object)} became ${text(object)}`);
  }

  private acknowledge(key: string, change: Change, { before, highest, reply }: Acknowledgement): void {
    const expected = change.expected(before);
    if (expected === 'gone') {
      // The response to a deletion does not contain its resourceVersion.
      const { revision } = this.states.get(key) ?? NEVER_SEEN;
      this.states.set(key, { revision, object: undefined });
      return;
    }
    if (!isDeepStrictEqual(outcomeOf(reply), expected))
      this.problems.push(`${key}: ${text(expected)} was answered by ${text(reply)}`);
    if (Number(reply.metadata.resourceVersion) <= highest)
      this.problems.push(`${key}: ${reply.metadata.resourceVersion} was given after ${highest}`);
    this.observe(key, reply);
  }

  private isExplained(key: string, { revision, object: before }: State, object: StoredJson | undefined): boolean {
    return [...(this.unanswered.get(key) ?? [])].some((change) => {
      const expected = change.expected(before);
      if (!object || expected === 'gone') return !object && expected === 'gone';
      const isSame = !before || before.metadata.uid === object.metadata.uid;
      const isLater = Number(object.metadata.resourceVersion) > revision;
      return isSame && isLater && isDeepStrictEqual(outcomeOf(object), expected);
    });
  }

  /** A resourceVersion identifies one content. */
  private note(key: string, object: StoredJson): number {
    const revision = Number(object.metadata.resourceVersion);
    const content = createHash('sha1')
      .update(`${key} ${canonical(object)}`)
      .digest('base64');
    const known = this.contents.get(revision) ?? content;
    if (known !== content) this.problems.push(`${key}: ${revision} stands for two contents, one is ${text(object)}`);
    this.contents.set(revision, content);
    this.highest = Math.max(this.highest, revision);
    return revision;
  }
}

export interface Answer {
  refused(): void;
  acknowledged(reply: StoredJson): void;
}

interface Acknowledgement {
  readonly before: StoredJson | undefined;
  readonly highest: number;
  readonly reply: StoredJson;
}

/** Members in order. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, member: unknown) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  );
}

function text(value: unknown): string {
  return (value === undefined ? 'nothing' : JSON.stringify(value)).replaceAll(/([abc])\1{20,}/g, '$1…');
}

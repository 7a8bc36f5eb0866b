import { createHash } from 'node:crypto';
import type { KubeObject } from '../../api/objects/kube-object.js';
import { ObjectTexts } from '../record/object-text.js';
import type {
  Actor,
  Breakdown,
  Commit,
  Delivery,
  FiredFault,
  ReconcileRecord,
  RequestRecord,
  StepRecord,
} from '../record/history.js';

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** Collects what happens in a run. */
export class Recorder {
  readonly commits: Commit[] = [];
  readonly requests: RequestRecord[] = [];
  readonly reconciles: Mutable<ReconcileRecord>[] = [];
  readonly deliveries: Delivery[] = [];
  readonly steps: StepRecord[] = [];
  readonly breakdowns: Breakdown[] = [];
  readonly fired: FiredFault[] = [];
  readonly texts = new ObjectTexts();
  private readonly hasher = createHash('sha256');
  private text = '';

  constructor(private readonly now: () => number) {}

  get at(): number {
    return this.now();
  }

  /** Adds a text to the hash of the run. */
  note(text: string): void {
    this.text += `${text}\n`;
    if (this.text.length < 16_384) return;
    this.hasher.update(this.text);
    this.text = '';
  }

  commit(commit: Omit<Commit, 'index' | 'at'>): Commit {
    const recorded = { index: this.commits.length, at: this.at, ...commit };
    const { object, after, before, verb } = commit;
    this.texts.learn(object, after ?? before ?? (object as unknown as KubeObject));
    this.commits.push(recorded);
    this.note(`${verb} ${this.texts.of(object)} ${JSON.stringify(after ?? before)}`);
    return recorded;
  }

  breakdown(actor: Actor, reason: Breakdown['reason'], thrown: unknown): void {
    const error = thrown instanceof Error ? thrown : new Error(String(thrown));
    this.breakdowns.push({ at: this.at, actor, reason, message: `${error.name}: ${error.message}`, stack: error.stack });
  }

  /** Ends the hash and returns it. */
  digest(): string {
    return this.hasher.update(this.text).digest('hex').slice(0, 32);
  }
}

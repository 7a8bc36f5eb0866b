import { CoreEvent } from '../../api/kinds.js';
import type { KindRef } from '../../api/kind-ref.js';
import type { UnstructuredObject } from '../../api/kube-object.js';
import { sleep, type Cancel, type Clock } from '../../base/clock.js';
import type { Client } from '../../client/client.js';
import type { ResourceModel } from '../../resource/model.js';
import { Board } from './board.js';
import type { Display } from './display.js';
import { newsOf, type ChangeType } from './news.js';
import { thingsToTry } from './things-to-try.js';

/** What changes within this time is shown at once. */
const DRAW_MS = 100;
/** Things are settled when nothing changed for so long, or after a few times as long. */
const QUIET_MS = 500;
const MOST_WAITS = 10;

export interface ShowcaseOptions {
  readonly client: Client;
  readonly models: readonly ResourceModel[];
  readonly display: Display;
  readonly kubeconfig: string;
  readonly clock: Clock;
}

interface Change {
  readonly type: ChangeType;
  readonly object: UnstructuredObject;
  /** Not told at the beginning of a watch, when all that is there is. */
  readonly isNews: boolean;
}

type Handler = (kind: KindRef, change: Change) => void;

/** Shows what the operators' objects become, and the events about them, as they happen. */
export class Showcase {
  private readonly board: Board;
  private readonly counts = new Map<string, number>();
  private changes = 0;
  private isSettled = false;
  private pending: Cancel | undefined;

  constructor(private readonly options: ShowcaseOptions) {
    this.board = new Board(options.models);
  }

  /** Rejects with the signal's reason, or with what ends it before. */
  async follow(signal: AbortSignal): Promise<void> {
    const kinds = this.board.kinds.map((kind) => this.followKind(kind, signal, this.changed));
    try {
      await Promise.all([...kinds, this.followKind(CoreEvent, signal, this.noteEvent), this.settle(signal)]);
    } finally {
      this.pending?.();
    }
  }

  /** A watch ends after a while, and the next tells all anew. */
  private async followKind(kind: KindRef, signal: AbortSignal, onEvent: Handler): Promise<void> {
    for (;;) {
      let isNews = false;
      const options = {
        sendInitialEvents: true,
        resourceVersionMatch: 'NotOlderThan',
        onOpen: () => this.board.clear(kind),
        signal,
      };
      await this.options.client.streamWatch(kind, options, (type, object) => {
        if (type === 'BOOKMARK') isNews = true;
        else onEvent(kind, { type, object, isNews });
      });
    }
  }

  private readonly changed: Handler = (kind, { type, object, isNews }) => {
    const { board, options } = this;
    const news = isNews ? newsOf(type, board.get(kind, object), object) : undefined;
    if (news !== undefined) options.display.note(`${kind.kind} ${object.metadata.name}: ${news}`);
    if (type === 'DELETED') board.remove(kind, object);
    else board.set(kind, object);
    this.changes++;
    this.pending ??= options.clock.schedule(DRAW_MS, () => {
      this.draw();
    });
  };

  private readonly noteEvent: Handler = (_kind, { type, object }) => {
    const { metadata, involvedObject, reason = '', message = '', count = 1 } = object as unknown as CoreEvent;
    if (type === 'DELETED' || this.counts.get(metadata.name) === count) return;
    if (!this.board.kinds.some(({ kind }) => kind === involvedObject.kind)) return;
    this.counts.set(metadata.name, count);
    this.options.display.note(`${involvedObject.kind ?? ''} ${involvedObject.name ?? ''}: ${reason}: ${message}`);
  };

  private async settle(signal: AbortSignal): Promise<void> {
    for (let waits = 0, before = -1; before !== this.changes && waits < MOST_WAITS; waits++) {
      before = this.changes;
      await sleep(this.options.clock, QUIET_MS, signal);
    }
    this.isSettled = true;
    this.draw();
  }

  private draw(): void {
    this.pending = undefined;
    const { display, kubeconfig, models } = this.options;
    display.show(this.board.rows(), this.isSettled ? thingsToTry(kubeconfig, models, this.board) : []);
  }
}

import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { KindRef } from '../../api/kinds/kind-ref.js';
import { CoreEvent, Deployment, Pod } from '../../api/kinds/kinds.js';
import type { KubeObject, UnstructuredObject } from '../../api/objects/kube-object.js';
import { controllerOf } from '../../api/kinds/owner-reference.js';
import { type Cancel, type Clock, sleep } from '../../base/clock.js';
import type { Client } from '../../client/client.js';
import type { ResourceModel } from '../../resource/model.js';
import { kubeconfigLine } from '../embedded-server.js';
import { DemoState } from './demo-state.js';
import type { Display } from './display.js';
import { printableText } from '../../base/printable-text.js';

/** Interval at which changes are drawn together. */
const DRAW_MS = 100;
/** The cluster has settled when nothing has changed for this time, or after MOST_WAITS times as long. */
const QUIET_MS = 500;
const MOST_WAITS = 10;

export interface ShowcaseOptions {
  readonly client: Client;
  readonly models: readonly ResourceModel[];
  readonly display: Display;
  readonly kubeconfig: string;
  /** With its token. */
  readonly consoleUrl?: string | undefined;
  readonly clock: Clock;
}

interface Change {
  readonly type: ChangeType;
  readonly object: UnstructuredObject;
  /** False for the objects that a watch lists at its beginning. */
  readonly isLive: boolean;
}

type Handler = (kind: KindRef, change: Change) => void;

/** Shows the operators' objects, and the events about them, as they change. */
export class Showcase {
  private readonly state: DemoState;
  private readonly counts = new Map<string, number>();
  private changes = 0;
  private isSettled = false;
  private pending: Cancel | undefined;

  constructor(private readonly options: ShowcaseOptions) {
    this.state = new DemoState(options.models);
  }

  /** Runs until the signal is aborted; rejects with its reason, or with the error that ended it before. */
  async follow(signal: AbortSignal): Promise<void> {
    const kinds = this.state.kinds.map((kind) => this.followKind(kind, signal, this.changed));
    try {
      await Promise.all([...kinds, this.followKind(CoreEvent, signal, this.noteEvent), this.settle(signal)]);
    } finally {
      this.pending?.();
    }
  }

  /** The server ends a watch after a while; the next one lists all objects again. */
  private async followKind(kind: KindRef, signal: AbortSignal, onEvent: Handler): Promise<void> {
    for (;;) {
      let isLive = false;
      const options = {
        sendInitialEvents: true,
        resourceVersionMatch: 'NotOlderThan',
        onOpen: () => this.state.clear(kind),
        signal,
      };
      await this.options.client.streamWatch(kind, options, (type, object) => {
        if (type === 'BOOKMARK') isLive = true;
        else onEvent(kind, { type, object, isLive });
      });
    }
  }

  private readonly changed: Handler = (kind, { type, object, isLive }) => {
    const { state, options } = this;
    const change = isLive ? describeChange(type, state.get(kind, object), object) : undefined;
    if (change !== undefined) options.display.note(printableText(`${kind.kind} ${object.metadata.name}: ${change}`));
    if (type === 'DELETED') state.remove(kind, object);
    else state.set(kind, object);
    this.changes++;
    this.pending ??= options.clock.schedule(DRAW_MS, () => {
      this.draw();
    });
  };

  private readonly noteEvent: Handler = (_kind, { type, object }) => {
    const { metadata, involvedObject, reason = '', message = '', ...event } = object as unknown as CoreEvent;
    const count = countOf(event);
    if (type === 'DELETED' || this.counts.get(metadata.name) === count) return;
    if (!this.state.kinds.some(({ kind }) => kind === involvedObject.kind)) return;
    this.counts.set(metadata.name, count);
    const text = `${involvedObject.kind ?? ''} ${involvedObject.name ?? ''}: ${reason}: ${message}`;
    this.options.display.note(printableText(text));
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
    const { display } = this.options;
    display.show(this.state.rows(), this.isSettled ? suggestions(this.options, this.state) : []);
  }
}

/** Commands to try in another terminal, with the names of objects that exist now. */
function suggestions({ kubeconfig, models, consoleUrl }: ShowcaseOptions, state: DemoState): string[] {
  const [deployment] = state.listOwned(Deployment);
  const pod = state.list(Pod).find(controllerOf);
  const plurals = models.map(({ kind }) => kind.plural).sort();
  const commands = [
    kubeconfigLine(kubeconfig),
    `kubectl get ${plurals.join(',')}`,
    ...(deployment ? [`kubectl scale deployment ${addressOf(deployment)} --replicas=7`] : []),
    ...(pod ? [`kubectl delete pod ${addressOf(pod)}`] : []),
  ];
  return [
    'Try these in another terminal and watch the operators react here:',
    ...commands.map((line) => `  ${line}`),
    ...(hasKubectl() ? [] : ['(kubectl is not on this PATH: https://kubernetes.io/docs/tasks/tools/)']),
    ...(consoleUrl === undefined ? [] : ['', `See why each object was reconciled: ${consoleUrl}`]),
    'Press Ctrl-C to stop.',
  ];
}

function addressOf({ metadata: { name, namespace = 'default' } }: KubeObject): string {
  return namespace === 'default' ? name : `${name} -n ${namespace}`;
}

function hasKubectl(): boolean {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  return folders.some((folder) => ['kubectl', 'kubectl.exe'].some((name) => existsSync(join(folder, name))));
}

type ChangeType = 'ADDED' | 'MODIFIED' | 'DELETED';

/** Describes a change that deserves a line even if the next one reverts it before the table is drawn. */
export function describeChange(
  type: ChangeType,
  before: UnstructuredObject | undefined,
  object: UnstructuredObject,
): string | undefined {
  if (type === 'ADDED') return 'created';
  if (type === 'DELETED') return 'deleted';
  const [from, to] = [replicasOf(before), replicasOf(object)];
  return from === undefined || to === undefined || from === to ? undefined : `scaled from ${from} to ${to}`;
}

function replicasOf(object: UnstructuredObject | undefined): number | undefined {
  const { replicas } = (object?.['spec'] ?? {}) as { replicas?: unknown };
  return typeof replicas === 'number' ? replicas : undefined;
}

/** Events of events.k8s.io count in their series. */
function countOf({ series, count }: Pick<CoreEvent, 'series' | 'count'>): number {
  return series?.count ?? count ?? 1;
}

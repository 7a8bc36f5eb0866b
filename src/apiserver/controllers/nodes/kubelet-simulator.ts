import { objectKey } from '../../../api/objects/object-key.js';
import { deepEqual } from '../../../base/deep-equal.js';
import { eachObject, objectAt, stringAt, type ApiObject, type JsonObject } from '../../objects/api-object.js';
import type { ClusterClient } from '../cluster-client.js';
import { ReconcileQueue } from '../reconcile-queue.js';
import { ComponentEventRecorder } from '../component-event-recorder.js';
import { backOffMessage, ContainerEvents, waitingMessage } from './container-events.js';
import { restartsOf, type PodPlan, type PodPlans } from './pod-plan.js';
import { podStatus, runningStatus } from './pod-status.js';
import { PodTransitions } from './pod-transitions.js';
import { StoppingPods } from './stopping-pods.js';

const FIRST_BACKOFF_MS = 10_000;
const MAX_BACKOFF_MS = 300_000;

/** Simulates the kubelets of all nodes: starts pods, ends their containers as planned and completes deletions. */
export class KubeletSimulator {
  private readonly queue: ReconcileQueue;
  private readonly unsubscribe: (() => void)[];
  private readonly pods;
  private readonly nodes;
  private readonly events;
  private readonly stopping: StoppingPods;
  private readonly transitions: PodTransitions;
  private nextAddress = 2;

  constructor(
    private readonly client: ClusterClient,
    private readonly plans: PodPlans,
  ) {
    this.pods = client.resource('v1', 'pods');
    this.nodes = client.resource('v1', 'nodes');
    this.events = new ContainerEvents(new ComponentEventRecorder(client, 'kubelet'), this.pods);
    this.stopping = new StoppingPods(client.clock);
    this.transitions = new PodTransitions(client.clock);
    this.queue = new ReconcileQueue('kubelet', client.clock, client.logger, (key) => this.reconcile(key));
    this.unsubscribe = [
      client.store.collection(this.pods.storage).subscribe(({ type, current: { key, object } }) => {
        if (type === 'ADDED') this.transitions.record(object, stringAt(object.metadata, 'creationTimestamp'));
        if (type === 'DELETED') this.forget(object);
        else this.queue.add(key);
      }),
      client.store.collection(this.nodes.storage).subscribe(({ type, current }) => {
        if (type !== 'ADDED') return;
        for (const pod of this.client.list(this.pods))
          if (stringAt(pod.spec, 'nodeName') === current.key) this.queue.add(objectKey(pod));
      }),
    ];
    for (const pod of client.list(this.pods)) this.queue.add(objectKey(pod));
  }

  stop(): void {
    this.queue.shutDown();
    this.stopping.stop();
    for (const unsubscribe of this.unsubscribe) unsubscribe();
  }

  private reconcile(key: string): void {
    const pod = this.client.get(this.pods, key);
    if (!pod || !this.client.get(this.nodes, stringAt(pod.spec, 'nodeName'))) return;
    if (pod.metadata.deletionTimestamp !== undefined) this.completeDeletion(key, pod);
    else this.advance(pod, this.plans.of(pod));
  }

  private forget(pod: ApiObject): void {
    this.plans.forget(pod);
    this.stopping.forget(pod.metadata.uid ?? '');
    this.transitions.forget(pod);
  }

  /** Completes the deletion of a pod. A pod with finalizers, for example of a Job, is set to ended first. */
  private completeDeletion(key: string, pod: ApiObject): void {
    if (isRunning(pod) && !this.isStopped(key, pod)) return;
    const phase = stringAt(pod.status, 'phase');
    const isHeld = (pod.metadata.finalizers ?? []).length > 0;
    if (isHeld && phase !== 'Succeeded' && phase !== 'Failed') this.setStatus(pod, this.ended(pod, 137));
    else if (!isHeld || (pod.metadata.deletionGracePeriodSeconds ?? 0) > 0)
      this.client.remove(this.pods, pod, { gracePeriodSeconds: 0 });
  }

  private isStopped(key: string, pod: ApiObject): boolean {
    const { uid = '', deletionGracePeriodSeconds: grace = 0 } = pod.metadata;
    const { stopMs } = this.plans.of(pod);
    const limited = stopMs === undefined ? undefined : Math.min(stopMs, grace * 1000);
    return grace === 0 || limited === 0 || this.stopping.areOver(uid, limited, () => this.queue.add(key));
  }

  private advance(pod: ApiObject, plan: PodPlan): void {
    const { startDelayMs = 0, waitingReason } = plan;
    const [container] = eachObject(objectAt(pod, 'status').containerStatuses);
    const state = objectAt(container, 'state');
    if (state.running !== undefined) {
      this.follow(pod);
      this.endWhenDue(pod, plan);
    } else if (state.waiting !== undefined && restartsOf(pod) > 0) this.restartWhenDue(pod);
    else if (stringAt(pod.status, 'phase') !== 'Pending') return;
    else if (waitingReason !== undefined) this.hold(pod, waitingReason);
    else this.onceDue(pod, stringAt(pod.metadata, 'creationTimestamp'), startDelayMs, () => this.start(pod, 0));
  }

  private hold(pod: ApiObject, reason: string): void {
    const status = this.waiting(pod, reason);
    if (deepEqual(status, pod.status)) return;
    this.setStatus(pod, status);
    this.events.recordWaiting(pod, reason);
  }

  /** Applies changes of a running pod to its status immediately. */
  private follow(pod: ApiObject): void {
    const status = runningStatus(pod, this.client.now);
    if (!deepEqual(status, pod.status)) this.setStatus(pod, status);
  }

  private endWhenDue(pod: ApiObject, { exitCode, runMs = 0 }: PodPlan): void {
    if (exitCode === undefined) return;
    const [container] = eachObject(objectAt(pod, 'status').containerStatuses);
    const { startedAt } = objectAt(objectAt(container, 'state'), 'running');
    this.onceDue(pod, String(startedAt), runMs, () => this.exit(pod, exitCode));
  }

  private restartWhenDue(pod: ApiObject): void {
    const [container] = eachObject(objectAt(pod, 'status').containerStatuses);
    const { finishedAt } = objectAt(objectAt(container, 'lastState'), 'terminated');
    const restarts = restartsOf(pod);
    this.onceDue(pod, String(finishedAt), backOffMs(restarts), () => this.start(pod, restarts));
  }

  /** Acts if the delay since a transition of the pod is over, else reconciles the pod again when it is. */
  private onceDue(pod: ApiObject, since: string, delayMs: number, act: () => void): void {
    const wait = delayMs === 0 ? 0 : this.transitions.timeOf(pod, since) + delayMs - this.client.clock.now();
    if (wait > 0) this.queue.addAfter(objectKey(pod), wait);
    else act();
  }

  private setStatus(pod: ApiObject, status: JsonObject): void {
    this.client.updateStatus(this.pods, pod, status);
  }

  private start(pod: ApiObject, restarts: number): void {
    const startedAt = this.client.now;
    const running = { running: { startedAt } };
    const podIP = stringAt(pod.status, 'podIP') || this.newAddress();
    this.setStatus(pod, {
      ...this.statusOf(pod, 'Running', undefined, (name) => ({
        ready: true,
        restartCount: restarts,
        started: true,
        state: running,
        lastState: lastStateOf(pod, name),
      })),
      podIP,
      podIPs: [{ ip: podIP }],
    });
    this.transitions.record(pod, startedAt);
    this.events.recordStarted(pod);
  }

  private newAddress(): string {
    return `10.244.${(this.nextAddress >>> 8) & 0xff}.${this.nextAddress++ & 0xff}`;
  }

  private waiting(pod: ApiObject, reason: string): JsonObject {
    const containers = eachObject(objectAt(pod, 'spec').containers);
    return this.statusOf(pod, 'Pending', 'ContainersNotReady', (name) => {
      const container = containers.find((candidate) => candidate.name === name);
      const message = waitingMessage(reason, container);
      return {
        ready: false,
        restartCount: 0,
        started: false,
        state: { waiting: { reason, ...(message !== undefined && { message }) } },
        lastState: {},
      };
    });
  }

  private exit(pod: ApiObject, exitCode: number): void {
    const policy = stringAt(pod.spec, 'restartPolicy');
    const isRestarted = policy === 'Always' || (policy === 'OnFailure' && exitCode !== 0);
    const status = isRestarted ? this.crashed(pod, exitCode) : this.ended(pod, exitCode);
    const finishedAt = this.client.now;
    this.setStatus(pod, status);
    this.transitions.record(pod, finishedAt);
    if (isRestarted) this.events.recordCrashed(pod);
  }

  private crashed(pod: ApiObject, exitCode: number): JsonObject {
    const restartCount = restartsOf(pod) + 1;
    const waitMs = backOffMs(restartCount);
    return this.statusOf(pod, 'Running', 'ContainersNotReady', (name) => ({
      ready: false,
      restartCount,
      started: false,
      state: { waiting: { reason: 'CrashLoopBackOff', message: backOffMessage(pod, name, waitMs) } },
      lastState: { terminated: this.terminated(exitCode) },
    }));
  }

  private ended(pod: ApiObject, exitCode: number): JsonObject {
    const phase = exitCode === 0 ? 'Succeeded' : 'Failed';
    return this.statusOf(pod, phase, exitCode === 0 ? 'PodCompleted' : 'PodFailed', () => ({
      ready: false,
      restartCount: restartsOf(pod),
      started: false,
      state: { terminated: this.terminated(exitCode) },
      lastState: {},
    }));
  }

  private terminated(exitCode: number): JsonObject {
    const now = this.client.now;
    return { exitCode, reason: exitCode === 0 ? 'Completed' : 'Error', startedAt: now, finishedAt: now };
  }

  private statusOf(
    pod: ApiObject,
    phase: string,
    unreadyReason: string | undefined,
    stateOf: (container: string) => JsonObject,
  ): JsonObject {
    const hostIP = this.addressOf(stringAt(pod.spec, 'nodeName'));
    return {
      ...podStatus(pod, this.client.now, { phase, unreadyReason, stateOf }),
      ...(hostIP !== undefined && { hostIP, hostIPs: [{ ip: hostIP }] }),
    };
  }

  private addressOf(node: string): string | undefined {
    const addresses = eachObject(objectAt(this.client.get(this.nodes, node) ?? {}, 'status').addresses);
    const internal = addresses.find(({ type }) => type === 'InternalIP');
    return internal && stringAt(internal, 'address');
  }
}

function backOffMs(restarts: number): number {
  return Math.min(FIRST_BACKOFF_MS * 2 ** (restarts - 1), MAX_BACKOFF_MS);
}

function isRunning({ status }: ApiObject): boolean {
  const containers = eachObject(objectAt({ status }, 'status').containerStatuses);
  return containers.some(({ state }) => objectAt({ state }, 'state').running !== undefined);
}

/** Returns the last state of the container. */
function lastStateOf({ status }: ApiObject, name: string): JsonObject {
  const containers = eachObject(objectAt({ status }, 'status').containerStatuses);
  const present = containers.find((container) => container.name === name);
  return objectAt(present, 'lastState');
}

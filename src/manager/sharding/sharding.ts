import { hostname } from 'node:os';
import { randomId } from '../../base/random.js';
import type { Logger } from '../../base/logger.js';
import type { Metrics } from '../../base/metrics.js';
import { dnsSubdomainErrors, labelValueErrors } from '../../api/objects/names.js';
import { OperatorError } from '../../base/operator-error.js';
import { Client } from '../../client/client.js';
import { WriteFencedError, type WriteFence } from '../../controller/write/write-fence.js';
import type { ResourceModel } from '../../resource/model.js';
import { defaultName, warnAboutDefaultName } from '../default-name.js';
import { settledWithin } from '../settled-within.js';
import type { RunOptions } from '../run-options.js';
import { optionMs } from '../../base/option-ms.js';
import { ShardLeases } from './shard-leases.js';
import { ShardMember } from './shard-member.js';
import type { ShardWork } from './shard-work.js';
import { shardMetrics } from './shard-metrics.js';

const DEFAULT_LEASE_DURATION_MS = 3000;
const SHORTEST_LEASE_MS = 1000;
const LONGEST_LEASE_MS = 600_000;
const LONGEST_SYNC_MS = 60_000;
/** Longest name of a Lease, and of the label with the name of the group. */
const NAME_LENGTH = 63;
const SUFFIX = '-shards';

/**
 * The permission of this process to write, for its part of the objects. Used in place of a `Leadership`.
 *
 * Order: `acquire`, then `hold` while the controllers run and `drain` before they stop, then `close` and
 * `release`.
 */
export class Sharding {
  readonly gate: ShardMember;
  private readonly client: Client;
  private hasWorked = false;
  private closedWhy: string | undefined;

  constructor(
    private readonly options: RunOptions,
    models: readonly ResourceModel[],
    metrics: Metrics | undefined,
  ) {
    assertCompatible(options, models);
    const { leaseDuration } = typeof options.sharding === 'object' ? options.sharding : {};
    const leaseDurationMs = optionMs('sharding.leaseDuration', leaseDuration, DEFAULT_LEASE_DURATION_MS);
    if (!(leaseDurationMs >= SHORTEST_LEASE_MS && leaseDurationMs <= LONGEST_LEASE_MS))
      throw invalid(`sharding with leaseDuration ${leaseDurationMs} ms is not possible`, 'use 1s to 10m');
    const { clock, logger, sharding, onAccess } = options;
    const given = typeof sharding === 'object' ? sharding : {};
    const { config } = options.client;
    const group = validGroup(given.name ?? defaultGroup(models, logger));
    const namespace = given.namespace ?? config.namespace ?? 'default';
    // Separate connections, so that renewals never wait for requests of the controllers.
    this.client = new Client(config, { clock, logger, onAccess });
    const timeoutMs = leaseDurationMs / 3;
    const leases = new ShardLeases({ client: this.client, namespace, group, leaseDurationMs, timeoutMs, clock });
    const measure = metrics && shardMetrics(metrics, () => this.gate);
    const onMoved = (gained: number, lost: number): void => {
      this.hasWorked = true;
      measure?.(gained, lost);
    };
    const newId = (): string => memberId(options.identity ?? hostname());
    this.gate = new ShardMember({ leases, newId, leaseDurationMs, clock, logger, onMoved });
  }

  /** True while this process may write, for its part of the objects. */
  get isLeading(): boolean {
    return this.closedWhy === undefined && this.gate.isOpen;
  }

  /** Throws if this process must not write, or does not own the object. */
  readonly fence: WriteFence = (key) => {
    if (this.closedWhy !== undefined) throw new WriteFencedError(this.closedWhy);
    if (!this.gate.isOpen) throw new WriteFencedError('the Lease of this replica was not renewed in time');
    if (key !== undefined && !this.gate.mayWrite(key)) throw new WriteFencedError(`another replica reconciles ${key}`);
  };

  /** Throws when this process had objects and its Lease is no longer valid. For clients that may write earlier, in `onStart`. */
  readonly lossFence: WriteFence = () => {
    if (this.hasWorked && !this.gate.isOpen)
      throw new WriteFencedError('the Lease of this replica was not renewed in time');
  };

  /** Resolves with true when `synced` has resolved or 60 s have passed, with false when stopped before. */
  async acquire(signal: AbortSignal, synced: () => Promise<unknown>): Promise<boolean> {
    await settledWithin(this.options.clock, LONGEST_SYNC_MS, synced());
    return !signal.aborted;
  }

  /** Takes part until aborted: the work begins and ends as objects move. Never rejects. */
  async hold(ended: AbortSignal, work: ShardWork): Promise<void> {
    await this.gate.run(work, ended);
  }

  /** Begins to stop: objects that are not being worked on move to the other replicas, the others when their work ends. */
  drain(): void {
    this.gate.drain();
  }

  /** Rejects all further writes with the reason. The first reason is kept. */
  close(why: string): void {
    this.closedWhy ??= why;
  }

  /** Gives the objects to the other replicas. Never rejects. */
  async release(): Promise<void> {
    // Afterwards, the disposers of start-up hooks may write as before the first object.
    if (this.gate.isOpen) this.hasWorked = false;
    await this.gate.leave();
    this.client.close();
  }
}

function assertCompatible({ leaderElection = false }: RunOptions, models: readonly ResourceModel[]): void {
  if (leaderElection !== false) {
    const hint = 'remove leaderElection (--leader-elect): with sharding all replicas work';
    throw invalid('sharding and leader election exclude each other', hint);
  }
  for (const { className, sources } of models) {
    const http = sources.find(({ type }) => type === 'http');
    if (!http) continue;
    const hint = 'use a source that every replica reads: an async iterable or a poll';
    throw invalid(
      `${className}: ${http.name} gets each request in one replica only, so sharding is not possible`,
      hint,
    );
  }
}

/** @throws OperatorError for a name that a Lease or a label cannot have. */
function validGroup(group: string): string {
  const [problem] = [...dnsSubdomainErrors(group), ...labelValueErrors(group)];
  if (problem === undefined) return group;
  throw invalid(
    `the sharding name ${JSON.stringify(group)} is invalid: ${problem}`,
    `sharding: { name: 'podset-shards' }`,
  );
}

function defaultGroup(models: readonly ResourceModel[], logger: Logger): string {
  const names = models.map(({ controller }) => controller.name);
  const group = defaultName(names, SUFFIX, NAME_LENGTH);
  warnAboutDefaultName(logger, group, 'set a name: --sharding-id, or name of sharding');
  return group;
}

/** Begins with the name of the host, which is that of the pod, and is never used again. */
function memberId(identity: string): string {
  const readable = identity
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');
  return `${readable.slice(0, 200) || 'replica'}-${randomId('identity of a shard member').slice(-12)}`;
}

function invalid(message: string, hint: string): OperatorError {
  return new OperatorError(message, { code: 'E_SHARDING', hint });
}

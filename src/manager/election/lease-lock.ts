import { Lease } from '../../api/kinds/kinds.js';
import { NotFoundError } from '../../client/api-error.js';
import type { Client } from '../../client/client.js';

/** The content of a Lease. Every member is validated, because users may have edited it. */
export interface LeaseRecord {
  /** Empty when the lease is free. */
  readonly holder: string;
  readonly durationSeconds: number;
  /** metav1.MicroTime; empty when unset. */
  readonly acquireTime: string;
  readonly renewTime: string;
  /** The number of changes of the holder. */
  readonly transitions: number;
}

/** A record with the object that it was read from or written to. */
export interface LeaseState {
  readonly record: LeaseRecord;
  readonly object: Lease;
}

/** A coordination.k8s.io/v1 Lease as a lock: each write holds only for the resourceVersion that was read. */
export class LeaseLock {
  constructor(
    private readonly client: Pick<Client, 'get' | 'create' | 'update'>,
    readonly namespace: string,
    readonly name: string,
  ) {}

  async read(signal: AbortSignal): Promise<LeaseState | undefined> {
    try {
      return stateOf(await this.client.get(Lease, this.name, { namespace: this.namespace, retries: 0, signal }));
    } catch (error) {
      if (error instanceof NotFoundError) return undefined;
      throw error;
    }
  }

  /** @throws AlreadyExistsError when another process has created it. */
  async create(record: LeaseRecord, signal: AbortSignal): Promise<LeaseState> {
    const metadata = { name: this.name, namespace: this.namespace };
    return stateOf(await this.client.create(Lease, { metadata, spec: specOf(record) }, { retries: 0, signal }));
  }

  /** @throws ConflictError when the Lease has changed since `state`. */
  async update(state: LeaseState, record: LeaseRecord, signal: AbortSignal): Promise<LeaseState> {
    const object = { ...state.object, spec: { ...state.object.spec, ...specOf(record) } };
    return stateOf(await this.client.update(Lease, object, { retries: 0, signal }));
  }
}

function specOf(record: LeaseRecord) {
  return {
    holderIdentity: record.holder,
    leaseDurationSeconds: record.durationSeconds,
    acquireTime: record.acquireTime,
    renewTime: record.renewTime,
    leaseTransitions: record.transitions,
  };
}

function stateOf(object: Lease): LeaseState {
  const { holderIdentity, leaseDurationSeconds, acquireTime, renewTime, leaseTransitions } = object.spec ?? {};
  const record = {
    holder: holderIdentity ?? '',
    durationSeconds: leaseDurationSeconds ?? 0,
    acquireTime: acquireTime ?? '',
    renewTime: renewTime ?? '',
    transitions: leaseTransitions ?? 0,
  };
  return { record, object };
}

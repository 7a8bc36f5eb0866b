import type { Lease } from '../../src/api/kinds/kinds.js';
import { AlreadyExistsError, ConflictError } from '../../src/client/api-error.js';
import type { LeaseRecord, LeaseState } from '../../src/manager/election/lease-lock.js';

/** The lock that candidates of one test share; each call can be made to fail or to hang. */
export class MemoryLock {
  readonly namespace = 'system';
  readonly name = 'podset-leader';
  state: LeaseState | undefined;
  calls: string[] = [];
  /** Called before each response; may throw or wait. */
  fault: (call: string, signal: AbortSignal) => void | Promise<void> = () => undefined;
  /** Whether the response to a call that was stored is lost. */
  lost: (call: string) => boolean = () => false;
  /** True if updates of any version are stored. */
  ignoresVersions = false;
  private version = 0;

  async read(signal: AbortSignal): Promise<LeaseState | undefined> {
    await this.called('read', signal);
    return this.state;
  }

  async create(record: LeaseRecord, signal: AbortSignal): Promise<LeaseState> {
    await this.called('create', signal);
    if (this.state) throw new AlreadyExistsError('it exists', { ...ERROR, reason: 'AlreadyExists' });
    return this.stored('create', record);
  }

  async update(state: LeaseState, record: LeaseRecord, signal: AbortSignal): Promise<LeaseState> {
    await this.called('update', signal);
    if (
      !this.ignoresVersions &&
      state.object.metadata.resourceVersion !== this.state?.object.metadata.resourceVersion
    ) {
      throw new ConflictError('it has changed', { ...ERROR, reason: 'Conflict' });
    }
    return this.stored('update', record);
  }

  /** Writes a record as another process does. */
  put(record: LeaseRecord): LeaseState {
    this.version += 1;
    const object: Lease = { metadata: { name: this.name, resourceVersion: String(this.version) } };
    this.state = { record, object };
    return this.state;
  }

  private stored(call: string, record: LeaseRecord): LeaseState {
    const state = this.put(record);
    if (this.lost(call)) throw new Error('the connection was lost');
    return state;
  }

  private async called(call: string, signal: AbortSignal): Promise<void> {
    this.calls.push(call);
    await this.fault(call, signal);
  }
}

const ERROR = { status: 409, request: { method: 'PUT', path: '/' } };

import type { Lease } from '../../../src/api/kinds/kinds.js';
import { AlreadyExistsError, ConflictError, NotFoundError } from '../../../src/client/api-error.js';
import type { Client } from '../../../src/client/client.js';

export type LeaseClient = Pick<Client, 'list' | 'create' | 'update' | 'delete'>;

const REQUEST = { method: 'PUT', path: '/' };

/** The Leases of a server, which checks versions as the API server does. */
export class MemoryLeases {
  readonly byName = new Map<string, Lease>();
  private version = 0;

  /** A client whose calls `send` delays or lets fail; it decides when the server handles the request. */
  client(send: <T>(handle: () => T) => Promise<T> = async (handle) => Promise.resolve(handle())): LeaseClient {
    const client = {
      list: () => send(() => ({ items: structuredClone([...this.byName.values()]) })),
      create: (_kind: unknown, lease: Lease) => send(() => this.create(lease)),
      update: (_kind: unknown, lease: Lease) => send(() => this.update(lease)),
      delete: (_kind: unknown, name: string) =>
        send(() => {
          if (!this.byName.delete(name)) throw new NotFoundError('not found', { ...error(404), reason: 'NotFound' });
        }),
    };
    return client as unknown as LeaseClient;
  }

  private create(lease: Lease): Lease {
    const { name } = lease.metadata;
    if (this.byName.has(name)) throw new AlreadyExistsError('exists', { ...error(409), reason: 'AlreadyExists' });
    return this.store({ ...lease, metadata: { ...lease.metadata, uid: `uid-${this.version}` } });
  }

  private update(lease: Lease): Lease {
    const present = this.byName.get(lease.metadata.name);
    if (!present || present.metadata.resourceVersion !== lease.metadata.resourceVersion) {
      throw new ConflictError('changed', { ...error(409), reason: 'Conflict' });
    }
    return this.store(lease);
  }

  private store(lease: Lease): Lease {
    this.version += 1;
    const stored = structuredClone({
      ...lease,
      metadata: { ...lease.metadata, resourceVersion: String(this.version) },
    });
    this.byName.set(lease.metadata.name, stored);
    return structuredClone(stored);
  }
}

function error(status: number) {
  return { status, request: REQUEST };
}

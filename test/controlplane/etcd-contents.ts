/** A key of etcd with the revision of its last change; `value` is absent where only keys were read. */
interface Entry {
  readonly key: string;
  readonly mod_revision: string;
  readonly value?: string;
}

/** Base64, as the JSON gateway of etcd encodes keys and values. */
const encode = (text: string): string => Buffer.from(text).toString('base64');
const decode = (base64: string): string => Buffer.from(base64, 'base64').toString();

/** What the API server renews all the time. */
const IGNORED = ['/registry/masterleases/', '/registry/peerserverleases/', '/registry/leases/kube-'];
/** kwok renews the status of nodes. It is restored with the rest of the node, but a new change needs no second pass. */
const RENEWED = '/registry/minions/';
/** Deleted first: controllers replace deleted objects in a namespace that exists, and webhooks reject their writes. */
const FIRST = ['/registry/admissionregistration.k8s.io/', '/registry/namespaces/'];
const CONCURRENT = 16;

/**
 * Everything that an API server has stored, to be restored later: objects that were created since are deleted, the
 * others get back their contents. Finalizers and deletion delays do not apply, because etcd itself is changed; the API
 * server and its clients learn of it through their watches, as of any other change.
 */
export class EtcdContents {
  private readonly url: string;
  private readonly entries: Map<string, { readonly value: string; revision: string }>;

  private constructor(url: string, entries: readonly Entry[]) {
    this.url = url;
    const stored = entries.map(({ key, value = '', mod_revision: revision }) => [key, { value, revision }] as const);
    this.entries = new Map(stored);
  }

  /** Reads the contents of the etcd that listens on a port of loopback. */
  static async read(port: number): Promise<EtcdContents> {
    const url = `http://127.0.0.1:${String(port)}`;
    return new EtcdContents(url, await range(url, {}));
  }

  /** Whether nothing has changed since, except for what changes all the time. */
  async areUnchanged(): Promise<boolean> {
    return (await this.changes()).every(({ key }) => key.startsWith(RENEWED));
  }

  /** Restores what has changed. Controllers may react with further changes, so repeat it until nothing has changed. */
  async restore(): Promise<void> {
    const changes = await this.changes();
    const isFirst = ({ key }: Change): boolean => FIRST.some((prefix) => key.startsWith(prefix));
    await this.undo(changes.filter(isFirst));
    await this.undo(changes.filter((change) => !isFirst(change)));
  }

  private async changes(): Promise<Change[]> {
    const present = new Map((await range(this.url, { keys_only: true })).map((entry) => [entry.key, entry]));
    const created = [...present.keys()].filter((key) => !this.entries.has(key));
    const changed = [...this.entries].filter(([key, { revision }]) => present.get(key)?.mod_revision !== revision);
    const changes = [...created.map((key) => ({ key })), ...changed.map(([key, { value }]) => ({ key, value }))];
    return changes
      .map(({ key, ...rest }) => ({ key: decode(key), ...rest }))
      .filter(({ key }) => !IGNORED.some((prefix) => key.startsWith(prefix)));
  }

  private async undo(changes: readonly Change[]): Promise<void> {
    const left = [...changes];
    const next = async (): Promise<void> => {
      for (let change = left.shift(); change; change = left.shift()) await this.undoOne(change);
    };
    await Promise.all(Array.from({ length: CONCURRENT }, next));
  }

  private async undoOne({ key: text, value }: Change): Promise<void> {
    const key = encode(text);
    if (value === undefined) {
      await call(this.url, 'deleterange', { key });
      return;
    }
    const { header } = await call<{ header: { revision: string } }>(this.url, 'put', { key, value });
    this.entries.set(key, { value, revision: header.revision });
  }
}

/** A key to be deleted, or to be set to a value of before. */
interface Change {
  readonly key: string;
  readonly value?: string;
}

async function range(url: string, options: object): Promise<Entry[]> {
  const [key, end] = ['/registry/', '/registry0'].map(encode);
  const { kvs = [] } = await call<{ kvs?: Entry[] }>(url, 'range', { key, range_end: end, ...options });
  return kvs;
}

async function call<T>(url: string, method: string, body: object): Promise<T> {
  const response = await fetch(`${url}/v3/kv/${method}`, { method: 'POST', body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`etcd ${method}: ${String(response.status)} ${await response.text()}`);
  return (await response.json()) as T;
}

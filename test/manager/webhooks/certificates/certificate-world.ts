import { X509Certificate } from 'node:crypto';
import { CustomResourceDefinition, type Secret } from '../../../../src/api/kinds/kinds.js';
import type { KindRef } from '../../../../src/api/kinds/kind-ref.js';
import type { UnstructuredObject } from '../../../../src/api/objects/kube-object.js';
import { FakeClock } from '../../../../src/base/fake-clock.js';
import { sleep, type Cancel } from '../../../../src/base/clock.js';
import { ApiError, ConflictError, NotFoundError } from '../../../../src/client/api-error.js';
import type { Client } from '../../../../src/client/client.js';
import type { EventMessage } from '../../../../src/controller/context/event-correlator.js';
import { CertificateIssuer } from '../../../../src/manager/webhooks/certificates/certificate-issuer.js';
import {
  certificatesIn,
  secretContent,
  type SharedAuthority,
} from '../../../../src/manager/webhooks/certificates/shared-authority.js';
import { RecordingLogger } from '../../../../src/testing/recording-logger.js';
import { injectionTargetsOf } from '../../../../src/manager/webhooks/certificates/injection-target.js';

const API_SERVERS = 2;
const SECRET = 'Secret podset-webhook-ca';
const service = { name: 'podset-webhook-service', namespace: 'system', path: '/x' };
const entry = (name: string) => ({ name, clientConfig: { service } });

const TARGETS = injectionTargetsOf({
  mutating: ['podset-mutating'],
  validating: ['podset-validating'],
  definitions: ['podsets.apps.example.com'],
});

/** A clock that also jumps, as that of a machine that was suspended. */
class JumpingClock extends FakeClock {
  jumpedMs = 0;

  override now(): number {
    return super.now() + this.jumpedMs;
  }
}

interface Replica {
  issuer: CertificateIssuer;
  stop: AbortController;
  served: string | undefined;
}

type Delay = () => number;

/**
 * Replicas of an operator, the objects that they share, and API servers that learn of changes with a delay.
 *
 * Requests take effect at a time between their start and their response.
 */
export class CertificateWorld {
  readonly clock = new JumpingClock();
  readonly logger = new RecordingLogger();
  readonly events: EventMessage[] = [];
  readonly replicas: Replica[] = [];
  /** The kinds that the operator must not write. */
  forbidden: readonly string[] = [];
  /** Certificates that an API server rejected, or that a replica served for too long. */
  readonly violations: string[] = [];
  writes = 0;
  /** The numbers of writes after which the replica that sent them is killed, before it gets the response. */
  crashAfter: ReadonlySet<number> = new Set();
  onCrash: (replica: number) => void = () => undefined;
  private inFlight = 0;
  private version = 1;
  private readonly objects = new Map<string, UnstructuredObject>();
  /** By API server and object, the text that it trusts. */
  private readonly effective = Array.from({ length: API_SERVERS }, () => new Map<string, string>());
  private readonly verified = new Map<string, boolean>();

  constructor(
    replicas: number,
    private readonly latency: Delay,
    private readonly lag: Delay,
  ) {
    this.put(SECRET, { kind: 'Secret', metadata: { name: 'podset-webhook-ca', namespace: 'system' } });
    for (const { kind, name } of TARGETS) {
      const content =
        kind.kind === CustomResourceDefinition.kind
          ? { spec: { conversion: { strategy: 'Webhook', webhook: { clientConfig: { service } } } } }
          : { webhooks: [entry('a.example.com'), entry('b.example.com')] };
      this.put(`${kind.kind} ${name}`, { kind: kind.kind, metadata: { name }, ...content });
    }
    for (let index = 0; index < replicas; index++) this.start(index);
  }

  /** The decoded data of the Secret. */
  get secret(): Record<string, string> {
    const { data = {} } = this.objects.get(SECRET) as unknown as Secret;
    return Object.fromEntries(
      Object.entries(data).map(([key, value]) => [key, Buffer.from(value, 'base64').toString()]),
    );
  }

  /** The objects of whose `caBundle` the issuers are the owner. */
  owned(): string[] {
    return [...this.objects].flatMap(([key, { metadata }]) =>
      (metadata as { managedFields?: object[] }).managedFields === undefined ? [] : [key],
    );
  }

  setSecret(state: SharedAuthority | Record<string, string>): void {
    const text = 'signing' in state || 'next' in state ? secretContent(state) : (state as Record<string, string>);
    const data = Object.fromEntries(
      Object.entries(text).map(([key, value]) => [key, Buffer.from(value).toString('base64')]),
    );
    this.put(SECRET, { ...this.objects.get(SECRET)!, data });
  }

  deleteSecret(): void {
    this.objects.delete(SECRET);
  }

  /** Removes the caBundle, as an apply of the complete configuration does. */
  wipe(target: number): void {
    const { kind, name } = TARGETS[target % TARGETS.length]!;
    this.inject(`${kind.kind} ${name}`, undefined);
    for (const { issuer, stop } of this.replicas) if (!stop.signal.aborted) issuer.request();
  }

  /** Another client replaces the caBundle of a target within 100 ms of each change; undefined removes it. Returns its end. */
  startRival(target: number, bundle: string | undefined, manager?: string): () => void {
    const { kind, name } = TARGETS[target]!;
    const key = `${kind.kind} ${name}`;
    const caBundle = { 'f:clientConfig': { 'f:caBundle': {} } };
    const fieldsV1 =
      kind.kind === CustomResourceDefinition.kind
        ? { 'f:spec': { 'f:conversion': { 'f:webhook': caBundle } } }
        : { 'f:webhooks': { 'k:{"name":"b.example.com"}': caBundle } };
    return this.every100Ms(() => {
      if (bundlesOf(this.objects.get(key)!)[0] === (bundle ?? '')) return;
      this.inject(
        key,
        bundle,
        manager === undefined ? [] : [{ manager, fieldsV1: bundle === undefined ? {} : fieldsV1 }],
      );
    });
  }

  /** Another client empties the Secret within 100 ms of each change. Returns its end. */
  startEmptying(): () => void {
    return this.every100Ms(() => {
      if (Object.keys(this.secret).length > 0) this.setSecret({});
    });
  }

  private every100Ms(act: () => void): () => void {
    const again = (): Cancel =>
      this.clock.schedule(100, () => {
        const before = this.version;
        act();
        if (this.version !== before)
          for (const { issuer, stop } of this.replicas) if (!stop.signal.aborted) issuer.request();
        cancel = again();
      });
    let cancel = again();
    return () => cancel();
  }

  /** The distinct texts that the objects trust. */
  bundles(): string[] {
    return [...new Set(TARGETS.flatMap(({ kind, name }) => bundlesOf(this.objects.get(`${kind.kind} ${name}`)!)))];
  }

  start(index: number): void {
    const stop = new AbortController();
    const replica: Partial<Replica> & Pick<Replica, 'stop'> = { stop, served: undefined };
    replica.issuer = new CertificateIssuer(
      {
        client: this.client(index, stop),
        namespace: 'system',
        secret: 'podset-webhook-ca',
        operator: 'podset',
        events: { record: (event) => this.events.push(event), close: async () => undefined },
        hosts: ['podset-webhook-service.system.svc'],
        targets: TARGETS,
        clock: this.clock,
        logger: this.logger,
        metrics: undefined,
        onCertificate: ({ cert }) => {
          replica.served = cert;
          queueMicrotask(() => this.check(`replica ${index} serves a new certificate`));
        },
      },
      stop.signal,
    );
    this.replicas[index] = replica as Replica;
    replica.issuer.request();
  }

  kill(index: number): void {
    this.replicas[index]!.stop.abort(new Error('killed'));
  }

  get isReady(): boolean {
    return this.replicas.every(({ issuer }) => issuer.isReady);
  }

  /** Moves the wall clock alone, while no request is in flight. */
  async jump(ms: number): Promise<void> {
    while (this.inFlight > 0) await this.clock.advance(100);
    this.clock.jumpedMs += ms;
  }

  private client(index: number, { signal }: AbortController): Pick<Client, 'get' | 'update' | 'apply' | 'patch'> {
    const request = async <T>(effect: () => T, isWrite: boolean): Promise<T> => {
      this.inFlight++;
      try {
        await sleep(this.clock, this.latency());
        signal.throwIfAborted();
        const result = effect();
        if (isWrite && this.crashAfter.has(++this.writes)) {
          this.kill(index);
          this.onCrash(index);
        }
        await sleep(this.clock, this.latency());
        signal.throwIfAborted();
        return structuredClone(result);
      } finally {
        this.inFlight--;
        this.check(`replica ${index} got a response`);
      }
    };
    return {
      get: (kind: KindRef, name: string) => request(() => this.read(`${kind.kind} ${name}`), false),
      update: (kind: KindRef, object: UnstructuredObject) =>
        request(() => {
          const key = `${kind.kind} ${object.metadata.name}`;
          this.assertAllowed(kind);
          this.assertVersion(key, object);
          this.put(key, object);
          return this.read(key);
        }, true),
      apply: (kind: KindRef, applied: UnstructuredObject) =>
        request(() => {
          const key = `${kind.kind} ${applied.metadata.name}`;
          this.assertAllowed(kind);
          this.assertVersion(key, applied);
          const [bundle] = bundlesOf(applied);
          this.inject(key, bundle, [{ manager: 'kindwright-webhooks' }]);
          return this.read(key);
        }, true),
      patch: (kind: KindRef, name: string, change: Pick<UnstructuredObject, 'metadata'>) =>
        request(() => {
          const key = `${kind.kind} ${name}`;
          const object = this.read(key);
          this.assertVersion(key, { ...object, metadata: { ...change.metadata, name } });
          const metadata = { ...object.metadata, managedFields: undefined };
          this.put(key, { ...object, metadata });
          return this.read(key);
        }, true),
    } as unknown as Pick<Client, 'get' | 'update' | 'apply' | 'patch'>;
  }

  private read(key: string): UnstructuredObject {
    const object = this.objects.get(key);
    if (!object) throw failure(NotFoundError, 404, `${key} not found`);
    return structuredClone(object);
  }

  private assertAllowed({ kind }: KindRef): void {
    if (this.forbidden.includes(kind)) throw failure(ApiError, 403, `${kind} is forbidden`);
  }

  private assertVersion(key: string, { metadata }: UnstructuredObject): void {
    if (this.read(key).metadata.resourceVersion !== metadata.resourceVersion)
      throw failure(ConflictError, 409, `${key} has been modified`);
  }

  private inject(key: string, bundle: string | undefined, managedFields?: readonly object[]): void {
    const object = this.read(key) as UnstructuredObject & Injected;
    for (const { clientConfig } of object.webhooks ?? [object.spec!.conversion.webhook]) {
      if (bundle === undefined) delete clientConfig.caBundle;
      else clientConfig.caBundle = Buffer.from(bundle).toString('base64');
    }
    this.put(key, { ...object, metadata: { ...object.metadata, managedFields } as UnstructuredObject['metadata'] });
  }

  private put(key: string, object: UnstructuredObject): void {
    const resourceVersion = String(this.version++);
    this.objects.set(key, structuredClone({ ...object, metadata: { ...object.metadata, resourceVersion } }));
    if (key === SECRET) return;
    for (const [server, known] of this.effective.entries()) {
      this.clock.schedule(this.lag(), () => {
        known.set(key, bundlesOf(this.objects.get(key)!)[0] ?? '');
        this.check(`API server ${server} learns of ${key}`);
      });
    }
  }

  /** Every certificate of a ready replica must be trusted by every API server that trusts anything. */
  private check(event: string): void {
    for (const [index, { issuer, served, stop }] of this.replicas.entries()) {
      if (stop.signal.aborted || served === undefined || !issuer.isReady) continue;
      for (const [server, known] of this.effective.entries())
        for (const [key, bundle] of known)
          if (bundle !== '' && !this.isTrusted(served, bundle))
            this.violations.push(`${event}: API server ${server} rejects replica ${index} for ${key}`);
    }
  }

  /** Returns true if no replica serves an expired certificate. */
  hasValidCertificates(): boolean {
    return this.replicas.every(
      ({ served }) => served !== undefined && new X509Certificate(served).validToDate.getTime() > this.clock.now(),
    );
  }

  private isTrusted(served: string, bundle: string): boolean {
    const key = served + bundle;
    const known = this.verified.get(key);
    if (known !== undefined) return known;
    const leaf = new X509Certificate(served);
    const result = certificatesIn(bundle).some((authority) => leaf.verify(authority.publicKey));
    this.verified.set(key, result);
    return result;
  }
}

interface Injected {
  webhooks?: { clientConfig: { caBundle?: string } }[];
  spec?: { conversion: { webhook: { clientConfig: { caBundle?: string } } } };
}

function bundlesOf(object: UnstructuredObject): string[] {
  const { webhooks, spec } = object as UnstructuredObject & Injected;
  return (webhooks ?? [spec!.conversion.webhook]).map(({ clientConfig: { caBundle = '' } }) =>
    Buffer.from(caBundle, 'base64').toString(),
  );
}

function failure(type: typeof ApiError, code: number, message: string): Error {
  return new type(message, { status: code, reason: 'Test', request: { method: 'PUT', path: '/' } });
}

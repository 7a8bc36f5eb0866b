import { ConfigMap, CustomResource, Deployment, Field, Kind, Owns, type Context, type Result } from 'kindwright';
import type { KindRef } from '../../src/api/kinds/kind-ref.js';
import type { KubeObject } from '../../src/api/objects/kube-object.js';
import { FakeClock } from '../../src/base/fake-clock.js';
import { InformerFactory } from '../../src/cache/informer-factory.js';
import type { ListWatcher } from '../../src/cache/list-watcher.js';
import { ApiError, NotFoundError } from '../../src/client/api-error.js';
import type { Client } from '../../src/client/client.js';
import type { RequestInterceptor } from '../../src/client/client-options.js';
import { Clusters } from '../../src/client/clusters.js';
import { Applier } from '../../src/controller/write/applier.js';
import { CachedKinds } from '../../src/controller/read/cached-kinds.js';
import { ChildCreator } from '../../src/controller/write/child-creator.js';
import { Finalizers } from '../../src/controller/reconcile/finalizers.js';
import { ActingAccounts } from '../../src/controller/context/acting-accounts.js';
import type { ContextServices } from '../../src/controller/context/context-services.js';
import { ObjectUpdater } from '../../src/controller/write/object-updater.js';
import { ObjectWriter } from '../../src/controller/write/object-writer.js';
import { kindsOf } from '../../src/resource/kinds/kinds-of.js';
import { OwnerCheck } from '../../src/controller/write/owner-check.js';
import { ReconcileClient } from '../../src/controller/run/reconcile-client.js';
import { ReconcileRequest } from '../../src/controller/run/reconcile-request.js';
import type { ReconcileRun } from '../../src/controller/run/reconcile-run.js';
import { ReconciledCondition } from '../../src/controller/run/reconciled-condition.js';
import { Reconciler } from '../../src/controller/reconcile/reconciler.js';
import { StatusWriter } from '../../src/controller/write/status-writer.js';
import { DueMethods } from '../../src/controller/triggers/due-methods.js';
import { buildResourceModels } from '../../src/resource/build-models.js';
import { ProvidedValues } from '../../src/resource/provided-values.js';
import { UnwatchedKinds } from '../../src/controller/read/unwatched-kinds.js';
import { WriteFencedError } from '../../src/controller/write/write-fence.js';
import { RecordingLogger } from '../../src/testing/recording-logger.js';

class GizmoSpec {
  @Field() value!: string;
}

class GizmoStatus {
  @Field({ optional: true }) seen?: string;
}

@Kind({ group: 'test.kindwright.dev', version: 'v1' })
@Owns(ConfigMap)
@Owns(Deployment)
export class Gizmo extends CustomResource {
  static behavior: (gizmo: Gizmo, ctx: Context) => Promise<Result | void> | Result | void;
  static goodbye: (gizmo: Gizmo, ctx: Context) => Promise<void> | void;

  @Field() spec!: GizmoSpec;
  @Field() status!: GizmoStatus;

  reconcile(ctx: Context): Promise<Result | void> | Result | void {
    return Gizmo.behavior(this, ctx);
  }

  override deleted(ctx: Context): Promise<void> | void {
    return Gizmo.goodbye(this, ctx);
  }
}

export const [gizmoModel] = buildResourceModels([Gizmo]) as [ReturnType<typeof buildResourceModels>[number]];

export function gizmo(name: string, change: Partial<KubeObject['metadata']> = {}): KubeObject & { spec: GizmoSpec } {
  const metadata = { name, namespace: 'team', uid: `uid-${name}`, resourceVersion: '1', ...change };
  return { apiVersion: 'test.kindwright.dev/v1', kind: 'Gizmo', metadata, spec: { value: 'a' } };
}

/** Returns the object with a reference to the Gizmo `a` as its controller. */
export function owned<T extends KubeObject>(object: T): T {
  const names = { apiVersion: 'test.kindwright.dev/v1', kind: 'Gizmo', name: 'a', uid: 'uid-a' };
  const reference = { ...names, controller: true, blockOwnerDeletion: true };
  return { ...object, metadata: { ...object.metadata, ownerReferences: [reference] } };
}

/** A call that the controller made, and what was sent. */
export interface SentWrite {
  readonly verb: 'apply' | 'create' | 'update' | 'patch' | 'delete';
  readonly name: string;
  readonly body?: unknown;
  readonly force?: boolean;
}

/** The parts of a controller over caches that a test fills; writes are kept, and answered by `answer`. */
export class ControllerParts {
  readonly clock = new FakeClock();
  readonly logger = new RecordingLogger();
  readonly sent: SentWrite[] = [];
  readonly recorded: { readonly about: string; readonly reason: string }[] = [];
  readonly reads: { readonly kind: string; readonly name?: string; readonly options?: unknown }[] = [];
  /** The object that a live read of its name returns. */
  live: (kind: string) => KubeObject | undefined = () => undefined;
  /** The objects that a live list returns. */
  liveItems: (kind: string) => KubeObject[] = () => [];
  /** The object that a deletion leaves in place; may throw. */
  answerDelete: () => KubeObject | undefined = () => undefined;
  /** The answer to other writes; may throw. */
  answer: (write: SentWrite) => KubeObject = ({ body }) => body as KubeObject;
  /** For generated names. */
  random: () => number = Math.random;
  /** Set to have every write held back. */
  fencedWhy: string | undefined;
  readonly clusters = new Clusters();
  readonly caches: CachedKinds;
  readonly services: ContextServices;
  readonly reconciler: Reconciler;
  private readonly informers: InformerFactory;

  private constructor(objects: readonly (readonly [KindRef, KubeObject])[], isStrict: boolean) {
    this.informers = new InformerFactory(listing(objects), { clock: this.clock, freeze: isStrict });
    this.caches = new CachedKinds(this.informers, kindsOf(gizmoModel), 'Gizmo');
    const client = new ReconcileClient(this.client() as unknown as Client, 'gizmo');
    const writer = new ObjectWriter(client, this.caches, this.fence);
    const ownerCheck = new OwnerCheck(gizmoModel.kind, client, this.caches);
    const applier = new Applier(gizmoModel.kind, client, this.caches, writer, ownerCheck, { clock: this.clock });
    const record: ContextServices['record'] = (about, _type, reason) => {
      this.recorded.push({ about: about.metadata.name, reason });
    };
    const random = (): number => this.random();
    const creator = new ChildCreator(gizmoModel.kind, client, this.caches, writer, ownerCheck, random);
    const unwatched = new UnwatchedKinds(gizmoModel, this.logger);
    this.services = {
      client,
      accounts: new ActingAccounts(gizmoModel),
      clusters: this.clusters,
      caches: this.caches,
      writer,
      applier,
      creator,
      updater: new ObjectUpdater(this.caches, writer),
      unwatched,
      record,
    };
    const finalizers = new Finalizers(gizmoModel.kind, [], client, writer);
    this.reconciler = new Reconciler({
      model: gizmoModel,
      services: this.services,
      finalizers,
      statusWriter: new StatusWriter(gizmoModel.kind, client, writer, this.clock),
      condition: new ReconciledCondition(gizmoModel, this.clock),
      isStrict,
      provided: new ProvidedValues(),
      due: new DueMethods(),
    });
  }

  /** With caches that hold the objects. */
  static with(...objects: (readonly [KindRef, KubeObject])[]): Promise<ControllerParts> {
    return ControllerParts.start(objects, false);
  }

  /** With caches that hold the objects, where changes that are never written are errors. */
  static strict(...objects: (readonly [KindRef, KubeObject])[]): Promise<ControllerParts> {
    return ControllerParts.start(objects, true);
  }

  private static async start(
    objects: readonly (readonly [KindRef, KubeObject])[],
    isStrict: boolean,
  ): Promise<ControllerParts> {
    const parts = new ControllerParts(objects, isStrict);
    parts.informers.start();
    await parts.informers.synced();
    return parts;
  }

  private readonly fence = (): void => {
    if (this.fencedWhy !== undefined) throw new WriteFencedError(this.fencedWhy);
  };

  request(key = 'team/a', run?: ReconcileRun, attempt?: number): ReconcileRequest {
    return new ReconcileRequest(key, this.logger, run, attempt);
  }

  stop(): Promise<void> {
    return this.informers.stop();
  }

  private client() {
    const write = async (write: SentWrite): Promise<KubeObject> => {
      this.sent.push(write);
      return structuredClone(this.answer(write));
    };
    const calls = {
      apply: (_kind: KindRef, body: KubeObject, { force }: { force: boolean }) =>
        write({ verb: 'apply', name: body.metadata.name, body, force }),
      create: (_kind: KindRef, body: KubeObject) => write({ verb: 'create', name: body.metadata.name, body }),
      update: (_kind: KindRef, body: KubeObject) => write({ verb: 'update', name: body.metadata.name, body }),
      patch: (_kind: KindRef, name: string, body: unknown) => write({ verb: 'patch', name, body }),
      delete: async (_kind: KindRef, name: string) => {
        this.sent.push({ verb: 'delete', name });
        return structuredClone(this.answerDelete());
      },
      get: async ({ kind }: KindRef, name: string) => {
        this.reads.push({ kind, name });
        const live = this.live(kind);
        if (live?.metadata.name === name) return structuredClone(live);
        throw new NotFoundError('not found', {
          status: 404,
          reason: 'NotFound',
          request: { method: 'GET', path: '/' },
          details: { kind },
        });
      },
      list: async ({ kind }: KindRef, options: unknown) => {
        this.reads.push({ kind, options });
        return { items: this.liveItems(kind), resourceVersion: '9' };
      },
    };
    return { ...calls, intercept: (interceptor: RequestInterceptor) => intercepted(calls, interceptor) };
  }
}

/** Returns the calls, each as a request that the interceptor sends. */
function intercepted(calls: Record<string, (...args: never[]) => Promise<unknown>>, interceptor: RequestInterceptor) {
  const entries = Object.entries(calls).map(([method, call]) => [
    method,
    (...args: never[]) => interceptor({ method, path: '/' }, () => call(...args)),
  ]);
  return Object.fromEntries(entries) as Record<string, unknown>;
}

/** Lists the objects and has no news. */
function listing(objects: readonly (readonly [KindRef, KubeObject])[]): ListWatcher {
  const refusal = new ApiError('no streaming', { status: 400, reason: '', request: { method: 'GET', path: '/' } });
  return {
    list: async ({ kind }: KindRef) => ({
      items: objects.filter(([ref]) => ref.kind === kind).map(([, object]) => object),
      resourceVersion: '9',
    }),
    currentVersion: () => Promise.resolve('9'),
    streamWatch: (_kind, { sendInitialEvents, signal }) =>
      sendInitialEvents === true
        ? Promise.reject(refusal)
        : new Promise((_resolve, reject) => {
            signal.addEventListener('abort', () => {
              reject(signal.reason as Error);
            });
          }),
  };
}

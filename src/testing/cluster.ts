import { inspect } from 'node:util';
import { randomHex } from '../base/random.js';
import { apiVersionOf, type InputOf, type KindLike, type ObjectOf, toKindRef } from '../api/kinds/kind-ref.js';
import { Namespace } from '../api/kinds/kinds.js';
import type { Desired, UnstructuredObject } from '../api/objects/kube-object.js';
import { UNDISTURBED_HEADER } from '../apiserver/server/server-faults.js';
import type { Clock } from '../base/clock.js';
import type { Logger } from '../base/logger.js';
import { OperatorError } from '../base/operator-error.js';
import { SystemClock } from '../base/system-clock.js';
import { parseYamlDocuments } from '../base/yaml.js';
import type { AccessRecordFile } from '../client/access/access-record-file.js';
import type { AccessListener } from '../client/access/access.js';
import { NotFoundError } from '../client/api-error.js';
import { Client } from '../client/client.js';
import type { RequestInterceptor } from '../client/client-options.js';
import { installModels } from '../manager/install/install-models.js';
import { Manager } from '../manager/manager.js';
import type { InjectionToken } from '../resource/decorators/inject.js';
import { buildResourceModels } from '../resource/build-models.js';
import { isRun } from '../resource/is-run.js';
import { kindConversionOf } from '../resource/conversion/kind-conversion-of.js';
import type { ResourceModel } from '../resource/model.js';
import { ProvidedValues } from '../resource/provided-values.js';
import { applyObjects } from './apply-objects.js';
import { ClusterFaults } from './cluster-faults.js';
import { OperatorHistory } from './operator-history.js';
import { endHistory, testRun } from './test-run.js';
import type { TestServer } from './test-server.js';
import { unservedKind } from './unserved-kind.js';
import { withHint } from './with-hint.js';

/** A class that reconciles or reviews its kind or another, or an abstract one for a further version of its kind. */
type ResourceClass = abstract new () => object;

/** A reconcile that is under way at the end of a test is of no use any more. */
const SHUTDOWN_MS = 1000;
const INSTALL_MS = 30_000;

interface ClusterOptions {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly strict: boolean | undefined;
  /** How the webhooks of the operators fail. */
  readonly webhooks: 'down' | 'slow' | undefined;
  /** File in which the accesses of the operators are recorded. */
  readonly accesses: AccessRecordFile | undefined;
}

/**
 * A cluster of a test, with the operators under test running in this process.
 *
 * @example
 * await using cluster = await startCluster();
 * await cluster.run(PodSet);
 */
export class Cluster implements AsyncDisposable {
  /** Path of a kubeconfig for the administrator, for other programs. */
  readonly kubeconfig: string;
  /** The administrator's, which no fault disturbs. */
  readonly client: Client;
  /** Shares the connections of the test's own, unless accesses are recorded. */
  private readonly operatorClient: Client;
  private readonly ending = new AbortController();
  private readonly running: Promise<void>[] = [];
  private stopped: Promise<void> | undefined;
  private readonly history: OperatorHistory;
  /** The pattern of each generated namespace, for the record of requests: it must be the same in each run. */
  private readonly patterns = new Map<string, string>();
  private readonly provided = new ProvidedValues();

  /** @internal */
  constructor(
    client: Client,
    private readonly server: TestServer,
    private readonly options: ClusterOptions,
  ) {
    this.kubeconfig = server.kubeconfig;
    const { accesses, logger } = options;
    this.client = server.faults ? client.intercepted(undisturbed) : client;
    this.history = new OperatorHistory(logger);
    testRun().histories.add(this.history);
    this.operatorClient = accesses ? new Client(client.config, { logger, onAccess: this.recordIn(accesses) }) : client;
  }

  /**
   * Installs the classes' CRDs, registers their webhooks and begins to reconcile their objects, except of classes without
   * `reconcile`; resolves when the kinds can be used and writes are reviewed.
   *
   * @throws ModelError listing every mistake in the classes; ApiError when the server refuses a CRD.
   */
  run(...classes: ResourceClass[]): Promise<void> {
    return withHint(this.reconcile(classes));
  }

  /**
   * Sets the value of properties with `@Inject(token)` in the operators that `run` starts from now on, instead of the one
   * that their `onStart` provides. Replaces an earlier value.
   */
  provide<T>(token: InjectionToken<T>, value: T): this {
    this.provided.provide(token, value);
    return this;
  }

  /** Installs the classes' CRDs without reconciling anything; resolves when the kinds can be used. */
  async install(...classes: ResourceClass[]): Promise<void> {
    await withHint(this.installModels(classes));
  }

  /**
   * Applies objects one after the other (server-side apply), each with its `apiVersion`, `kind` and, if its kind has
   * one, namespace (default: `default`). After a CRD it waits until its kind is served.
   */
  async apply(yamlOrObjects: string | readonly object[]): Promise<UnstructuredObject[]> {
    const isYaml = typeof yamlOrObjects === 'string';
    const objects = isYaml ? parseYamlDocuments(yamlOrObjects, 'the YAML to apply') : yamlOrObjects;
    return withHint(applyObjects(this.client, objects));
  }

  /**
   * Creates an object.
   *
   * @throws OperatorError when the kind is not installed; ApiError when the server refuses the object.
   */
  create<K extends KindLike>(kind: K, object: Desired<InputOf<K>>): Promise<ObjectOf<K>> {
    const created = this.client.create(kind, object).catch((error: unknown) => {
      if (!(error instanceof NotFoundError && error.isResourceMissing)) throw error;
      const ref = toKindRef(kind);
      throw unservedKind(ref.kind, apiVersionOf(ref), error);
    });
    return withHint(created);
  }

  /**
   * Creates a namespace with a generated name for a test that shares the cluster with others, and returns the name.
   * A file of `recordRbac` contains the pattern `<prefix>-*` in place of the name.
   */
  async namespace(prefix = 'test'): Promise<string> {
    const name = `${prefix}-${randomHex('namespace', 4)}`;
    this.patterns.set(name, `${prefix}-*`);
    await this.client.create(Namespace, { metadata: { name } });
    return name;
  }

  /**
   * Disturbs requests of the operators and of other programs: errors, delays and lost connections.
   *
   * @throws OperatorError (E_FAULT) on a real API server.
   */
  get faults(): ClusterFaults {
    const { faults } = this.server;
    if (faults) return new ClusterFaults(faults);
    const hint = "start the cluster with { server: 'embedded' }, or skip the test if KUBEBUILDER_ASSETS is set";
    throw new OperatorError('faults need the embedded server', { code: 'E_FAULT', hint });
  }

  /**
   * Ends the operators, then the server. May be called twice.
   *
   * @throws what made an operator end before its time.
   */
  stop(): Promise<void> {
    this.stopped ??= withHint(this.end());
    return this.stopped;
  }

  /** For `await using`: stops the cluster at the end of the block. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }

  private async reconcile(classes: readonly ResourceClass[]): Promise<void> {
    const run = (await this.installModels(classes)).filter(isRun);
    if (run.length === 0) return;
    const { clock, strict, webhooks: outage } = this.options;
    const { observer, logger } = this.history;
    let served = (): void => undefined;
    const serving = new Promise<void>((resolve) => {
      served = resolve;
    });
    const manager = new Manager({
      client: this.operatorClient,
      clock,
      logger,
      observer,
      strict,
      gracefulShutdownTimeout: SHUTDOWN_MS,
      webhooks: { register: this.client, repeatMutations: true, outage, onServing: served },
    });
    for (const model of run) manager.add(model);
    for (const [token, value] of this.provided.entries()) manager.provide(token, value);
    const ended = manager.run(this.ending.signal);
    ended.catch((error: unknown) => {
      logger.error('Operators ended', { err: error }); // stop() rejects with it
    });
    this.running.push(ended);
    const isServing = run.some(({ webhooks, target }) => webhooks.length > 0 || kindConversionOf(target));
    if (isServing) await Promise.race([serving, ended]);
  }

  private recordIn({ record }: AccessRecordFile): AccessListener {
    const listener = record.listener('operator');
    return (access) => {
      const { namespace = '' } = access;
      listener({ ...access, namespace: this.patterns.get(namespace) ?? access.namespace });
    };
  }

  private async installModels(classes: readonly ResourceClass[]): Promise<ResourceModel[]> {
    assertClasses(classes);
    const models = buildResourceModels(classes);
    const signal = AbortSignal.any([this.ending.signal, AbortSignal.timeout(INSTALL_MS)]);
    await installModels(this.client, models, { logger: this.options.logger, clock: new SystemClock(), signal });
    return models;
  }

  private async end(): Promise<void> {
    this.ending.abort(new Error('the cluster of the test was stopped'));
    endHistory(this.history);
    try {
      await Promise.all(this.running);
    } finally {
      this.client.close();
      this.operatorClient.close();
      this.options.accesses?.close();
      await this.server.stop();
    }
  }
}

const undisturbed: RequestInterceptor = (request, send) =>
  send({ ...request, headers: { ...request.headers, [UNDISTURBED_HEADER]: 'true' } });

function assertClasses(classes: readonly unknown[]): void {
  if (classes.length === 0) {
    throw new OperatorError('no class was passed', { code: 'E_CLASSES', hint: 'await cluster.run(PodSet)' });
  }
  for (const [index, candidate] of classes.entries()) {
    if (typeof candidate === 'function') continue;
    const isMissing = candidate === undefined;
    throw new OperatorError(`argument ${index + 1} must be a class, not ${inspect(candidate, { depth: 0 })}`, {
      code: 'E_CLASSES',
      hint: isMissing
        ? 'its module and this one import each other; move the class to a file that does not import this one'
        : 'await cluster.run(PodSet, HelloApp)',
    });
  }
}

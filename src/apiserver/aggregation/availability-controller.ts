import { keyOf } from '../../api/objects/object-key.js';
import { setCondition, type ConditionLike } from '../../api/objects/condition.js';
import type { Cancel, Clock } from '../../base/clock.js';
import type { Logger } from '../../base/logger.js';
import { arrayAt, type ApiObject, objectAt, stringAt, type JsonObject } from '../objects/api-object.js';
import { SYSTEM_USER, type Registry } from '../registry/registry.js';
import type { ResourceRegistry } from '../resources/resource-registry.js';
import type { RemoteClient } from './remote-client.js';
import { API_SERVICES, documentPath, serviceOf, type ServiceReference } from './service-reference.js';
import { goQuoted } from '../../base/go-quoted.js';
import { eachObject } from '../../base/json-object.js';
import type { ObjectStore } from '../storage/object-store.js';

const RESYNC_MS = 30_000;
const FIRST_RETRY_MS = 5;
const PASSED: Finding = { reason: 'Passed', message: 'all checks passed' };

/** The state of the checks of one APIService. */
interface Checks {
  isRunning: boolean;
  /** True if something changed during the running check. */
  isStale: boolean;
  failures: number;
  next: Cancel | undefined;
}

/**
 * Sets the Available condition of each APIService with a Service. It checks the server when the APIService or its
 * Service changes and every 30 seconds; after a failure it retries after 5 ms, doubling the delay each time. As
 * AvailableConditionController of kube-aggregator.
 */
export class AvailabilityController {
  private readonly checks = new Map<string, Checks>();
  private isStopped = false;

  constructor(
    private readonly registry: Registry,
    private readonly resources: ResourceRegistry,
    private readonly client: RemoteClient,
    private readonly clock: Clock,
    private readonly logger: Logger,
    /** Called after each check. */
    private readonly onChecked: (apiService: ApiObject) => void,
  ) {}

  stop(): void {
    this.isStopped = true;
    for (const { next } of this.checks.values()) next?.();
  }

  /** Schedules a check as soon as possible. */
  check(name: string): void {
    if (this.isStopped) return;
    const checks = this.checks.get(name) ?? { isRunning: false, isStale: false, failures: 0, next: undefined };
    this.checks.set(name, checks);
    checks.isStale = true;
    checks.next?.();
    if (!checks.isRunning) checks.next = this.clock.schedule(0, () => void this.run(name, checks));
  }

  private async run(name: string, checks: Checks): Promise<void> {
    checks.isRunning = true;
    checks.isStale = false;
    const isDone = await this.tell(name).catch((error: unknown) => {
      this.logger.warn('checking the availability of an APIService failed, retrying', { name, err: error });
      return false;
    });
    checks.isRunning = false;
    this.plan(name, checks, isDone);
  }

  private plan(name: string, checks: Checks, isDone: boolean | undefined): void {
    if (this.isStopped) return;
    if (isDone === undefined && !checks.isStale) {
      this.checks.delete(name);
      return;
    }
    checks.failures = isDone === false ? checks.failures + 1 : 0;
    const retryMs =
      checks.failures === 0 ? RESYNC_MS : Math.min(FIRST_RETRY_MS * 2 ** (checks.failures - 1), RESYNC_MS);
    checks.next = this.clock.schedule(checks.isStale ? 0 : retryMs, () => void this.run(name, checks));
  }

  /**
   * Checks an APIService and writes its condition. Returns whether no retry is needed; undefined when the APIService
   * was deleted.
   */
  private async tell(name: string): Promise<boolean | undefined> {
    const apiService = this.registry.store.get(API_SERVICES, name)?.object;
    const service = apiService && serviceOf(apiService);
    if (!apiService || !service) return undefined;
    const absent = serviceProblem(this.registry.store, service);
    const problem = absent ?? (await this.unanswered(apiService));
    if (this.isStopped || this.registry.store.get(API_SERVICES, name)?.object.metadata.uid !== apiService.metadata.uid)
      return undefined;
    this.write(name, problem);
    this.onChecked(apiService);
    return !problem || absent !== undefined;
  }

  private async unanswered(apiService: ApiObject): Promise<Finding | undefined> {
    const path = documentPath(apiService);
    try {
      const { url, code } = await this.client.get(apiService, path, 'application/json');
      if (code >= 200 && code < 300) return undefined;
      return failed(`failing or missing response from ${url}: bad status from ${url}: ${code}`);
    } catch (error) {
      const { host, port } = this.client.addressOf(apiService);
      return failed(
        `failing or missing response from https://${host}:${port}${path}: ${error instanceof Error ? error.message : ''}`,
      );
    }
  }

  private write(name: string, problem: Finding | undefined): void {
    const resource = this.resources.find('apiregistration.k8s.io/v1', 'apiservices');
    if (!resource) return;
    const condition = { type: 'Available', status: problem ? 'False' : 'True', ...(problem ?? PASSED) };
    const withCondition = (old: ApiObject): ApiObject => {
      const present = arrayAt(old.status, 'conditions') as ConditionLike[];
      return { ...old, status: { conditions: setCondition(present, condition, this.registry.now()) } };
    };
    const options = { user: SYSTEM_USER, fieldManager: 'kube-apiserver', subresource: 'status' };
    this.registry.update(resource, name, undefined, withCondition, options);
  }
}

function failed(message: string): Finding {
  return { reason: 'FailedDiscoveryCheck', message };
}

/** The reason and message of a condition. */
interface Finding {
  readonly reason: string;
  readonly message: string;
}

/** Returns why the Service of an APIService does not lead to a server; undefined if it does. */
function serviceProblem(store: ObjectStore, { namespace, name, port }: ServiceReference): Finding | undefined {
  const service = store.get('services', keyOf(name, namespace))?.object;
  const where = `service/${name} in ${goQuoted(namespace)}`;
  if (!service) return { reason: 'ServiceNotFound', message: `${where} is not present` };
  const { type, ports } = objectAt(service, 'spec');
  if (type !== 'ClusterIP') return undefined;
  const found = eachObject(ports).find((each) => each.port === port);
  if (!found) return { reason: 'ServicePortError', message: `${where} is not listening on port ${port}` };
  const slices = [...store.collection('endpointslices.discovery.k8s.io').range(`${namespace}/`)]
    .map(({ object }) => object)
    .filter(({ metadata }) => metadata.labels?.['kubernetes.io/service-name'] === name);
  if (slices.length === 0) return { reason: 'EndpointsNotFound', message: `cannot find endpointslices for ${where}` };
  const portName = stringAt(found, 'name');
  if (slices.some((slice) => hasAddress(slice, portName))) return undefined;
  const message = `endpointslices for ${where} have no addresses with port name ${goQuoted(portName)}`;
  return { reason: 'MissingEndpoints', message };
}

function hasAddress({ endpoints, ports }: ApiObject, portName: string): boolean {
  const isReady = (endpoint: JsonObject): boolean => objectAt(endpoint, 'conditions').ready !== false;
  return (
    eachObject(endpoints).some(isReady) &&
    eachObject(ports).some(({ name, port }) => name === portName && typeof port === 'number')
  );
}

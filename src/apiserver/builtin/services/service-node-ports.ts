import { invalidValue } from '../../../api/protocol/field-error.js';
import { internalError, invalid } from '../../errors/status-error.js';
import { type ApiObject, type JsonObject, eachObject, numberAt, objectAt } from '../../objects/api-object.js';
import { needsHealthCheck, needsNodePorts } from '../../objects/service-type.js';

const [FIRST, LAST] = [30000, 32767];
const FIRST_OF_DRY_RUN = 32769; // first port of dry runs on the real server

/** Allocates node ports while a Service is written. */
class NodePorts {
  private next = FIRST;

  constructor(
    private readonly taken: Set<number>,
    private readonly isDryRun: boolean,
  ) {
    if (isDryRun) this.next = FIRST_OF_DRY_RUN;
  }

  /** Allocates a port; returns the reason if it is not available. */
  claim(port: number): string | undefined {
    if (!this.isDryRun && (port < FIRST || port > LAST))
      return `provided port is not in the valid range. The range of valid ports is ${FIRST}-${LAST}`;
    if (this.taken.has(port)) return 'provided port is already allocated';
    this.taken.add(port);
    return undefined;
  }

  allocate(): number {
    if (this.isDryRun) return this.next++;
    while (this.taken.has(this.next)) this.next++;
    if (this.next > LAST) throw internalError('failed to allocate a nodePort: range is full');
    this.taken.add(this.next);
    return this.next;
  }
}

/**
 * Allocates the node ports that the type of a Service requires.
 *
 * @throws StatusError if requested ones are not available.
 */
export function allocateNodePorts(
  service: ApiObject,
  former: JsonObject | undefined,
  taken: Set<number>,
  isDryRun: boolean,
): void {
  const spec = objectAt(service, 'spec');
  const [own, ports] = [former ? nodePortsOf(former) : new Set<number>(), new NodePorts(taken, isDryRun)];
  if (spec.type === 'NodePort' || spec.type === 'LoadBalancer') assign(service, own, ports, former !== undefined);
  if (needsHealthCheck(spec) && !(former && needsHealthCheck(former))) assignHealthCheck(spec, ports);
}

function assignHealthCheck(spec: JsonObject, ports: NodePorts): void {
  const wanted = numberAt(spec, 'healthCheckNodePort') ?? 0;
  const problem = wanted === 0 ? undefined : ports.claim(wanted);
  if (problem !== undefined)
    throw internalError(`failed to allocate requested HealthCheck NodePort ${wanted}: ${problem}`);
  if (wanted === 0) spec.healthCheckNodePort = ports.allocate();
}

function assign(service: ApiObject, own: ReadonlySet<number>, ports: NodePorts, isUpdate: boolean): void {
  const spec = objectAt(service, 'spec');
  const byPort = new Map<unknown, number>();
  const list = eachObject(spec.ports);
  list.forEach((port, index) => {
    const shared = isUpdate ? 0 : (byPort.get(port.port) ?? requestedFor(list, port.port));
    const wanted = numberAt(port, 'nodePort') || shared;
    const isKept = own.has(wanted) || byPort.get(port.port) === wanted;
    if (wanted !== 0) {
      if (!isKept) claim(service, ports, wanted, index);
      port.nodePort = wanted;
    } else if (needsNodePorts(spec)) port.nodePort = ports.allocate();
    if (!byPort.has(port.port) && typeof port.nodePort === 'number') byPort.set(port.port, port.nodePort);
  });
}

function claim({ metadata }: ApiObject, ports: NodePorts, wanted: number, index: number): void {
  const problem = ports.claim(wanted);
  if (problem === undefined) return;
  const field = `spec.ports[${index}].nodePort`;
  throw invalid({ group: '', kind: 'Service' }, metadata.name, [invalidValue(field, wanted, problem)]);
}

/** Returns the requested node port of a port number: in a new Service, all protocols share it. */
function requestedFor(list: readonly JsonObject[], number: unknown): number {
  const same = list.find(({ port, nodePort }) => port === number && typeof nodePort === 'number' && nodePort !== 0);
  return numberAt(same, 'nodePort') ?? 0;
}

export function nodePortsOf(spec: JsonObject): Set<number> {
  const ports = eachObject(spec.ports).map((port) => numberAt(port, 'nodePort') ?? 0);
  return new Set([...ports, numberAt(spec, 'healthCheckNodePort') ?? 0].filter((port) => port !== 0));
}

/** Returns the node ports of all Services. */
export function takenNodePorts(services: Iterable<ApiObject>): Set<number> {
  const taken = new Set<number>();
  for (const service of services) for (const port of nodePortsOf(objectAt(service, 'spec'))) taken.add(port);
  return taken;
}

import { eachObject, numberAt, stringAt, type JsonObject } from '../objects/api-object.js';

interface Port {
  readonly field: string;
  readonly name: string;
  readonly key: string;
  readonly hostIP: string;
  readonly hostPort: number;
  readonly shown: string;
}

/** A container and its field path. */
export interface PlacedContainer {
  readonly container: JsonObject;
  readonly field: string;
}

/** Returns warnings for duplicate or overlapping ports of a pod's containers. */
export function portWarnings(containers: readonly PlacedContainer[]): string[] {
  const ports = containers.flatMap(({ container, field }) =>
    eachObject(container.ports).map((port, index) => portOf(port, `${field}.ports[${index}]`)),
  );
  return [
    ...ports.flatMap((port, index) => [...lonelyHostWarnings(port), ...overlapWarnings(port, ports.slice(0, index))]),
    ...nameWarnings(ports),
  ];
}

function portOf(port: JsonObject, field: string): Port {
  const [name, protocol, hostIP] = [stringAt(port, 'name'), stringAt(port, 'protocol'), stringAt(port, 'hostIP')];
  const [hostPort, number] = [numberAt(port, 'hostPort') ?? 0, numberAt(port, 'containerPort') ?? 0];
  const shown = `{Name:${name} HostPort:${hostPort} ContainerPort:${number} Protocol:${protocol} HostIP:${hostIP}}`;
  return { field, name, key: `${number}/${protocol}`, hostIP, hostPort, shown };
}

function lonelyHostWarnings({ field, hostIP, hostPort, shown }: Port): string[] {
  return hostIP !== '' && hostPort === 0 ? [`${field}: hostIP set without hostPort: ${shown}`] : [];
}

function overlapWarnings(port: Port, before: readonly Port[]): string[] {
  return before.flatMap((other) => {
    const kind = other.key === port.key ? overlap(port, other) : undefined;
    return kind === undefined ? [] : [`${port.field}: ${kind} port definition with ${other.field}`];
  });
}

function overlap(port: Port, other: Port): string | undefined {
  if (port.hostIP === other.hostIP && port.hostPort === other.hostPort) return 'duplicate';
  if (port.hostPort === 0 || other.hostPort === 0) return 'overlapping';
  const isOneOpen = (port.hostIP === '') !== (other.hostIP === '');
  return port.hostPort === other.hostPort && isOneOpen ? 'dangerously ambiguous' : undefined;
}

function nameWarnings(ports: readonly Port[]): string[] {
  const seen = new Map<string, string>();
  return ports.flatMap(({ name, field }) => {
    const other = seen.get(name);
    if (name === '') return [];
    if (other === undefined) {
      seen.set(name, field);
      return [];
    }
    const detail = `services and probes that select ports by name will use ${other}`;
    return [`${field}: duplicate port name "${name}" with ${other}, ${detail}`];
  });
}

import { formatTime } from '../../../../base/timestamp.js';
import { forbiddenField, invalidValue, type FieldError } from '../../../../api/protocol/field-error.js';
import { badRequest, invalid } from '../../../errors/status-error.js';
import { type ApiObject, type JsonObject, eachObject, objectAt, stringAt } from '../../../objects/api-object.js';
import type { Registry } from '../../../registry/registry.js';
import type { Resource } from '../../../resources/resource.js';
import type { ApiRequest } from '../../../transport/request/api-request.js';
import type { Outcome } from '../../../transport/response/outcome.js';

/** Returns the lines that the containers of a pod have written since they started. */
export type PodLogSource = (pod: ApiObject) => readonly string[];

const KINDS = ['containers', 'initContainers', 'ephemeralContainers'];

/** GET of pods/log. */
export function podLog(registry: Registry, source: PodLogSource, resource: Resource, request: ApiRequest): Outcome {
  const { name, namespace } = request.info;
  const errors = optionErrors(request.query);
  if (errors.length > 0) throw invalid({ group: '', kind: 'PodLogOptions' }, name, errors);
  const pod = registry.get(resource, name, namespace).object;
  const container = containerOf(pod, request.query.get('container') ?? '');
  if (stringAt(pod.spec, 'nodeName') === '') return text(204, '');
  const startedAt = startOf(pod, container, isTrue(request.query.get('previous')));
  const body = select(source(pod), startedAt, registry.clock.now(), request.query);
  if (!isTrue(request.query.get('follow'))) return text(200, body);
  return { type: 'stream', start: (response) => follow(registry, resource, pod, container, response, body) };
}

function text(code: number, body: string): Outcome {
  return { type: 'text', code, contentType: 'text/plain', body };
}

function isTrue(value: string | null): boolean {
  return value === 'true' || value === '1';
}

/** Validates like ValidatePodLogOptions of core/validation. */
function optionErrors(query: URLSearchParams): FieldError[] {
  const below = (field: string, least: number, detail: string): FieldError[] => {
    const value = query.get(field);
    return value !== null && Number(value) < least ? [invalidValue(field, Number(value), detail)] : [];
  };
  return [
    ...below('tailLines', 0, 'must be greater than or equal to 0'),
    ...below('limitBytes', 1, 'must be greater than 0'),
    ...(query.has('sinceSeconds') && query.has('sinceTime')
      ? [forbiddenField('', 'at most one of `sinceTime` or `sinceSeconds` may be specified')]
      : below('sinceSeconds', 1, 'must be greater than 0')),
  ];
}

/** Returns the requested container, or the only one: validateContainer of registry/core/pod. */
function containerOf(pod: ApiObject, wanted: string): string {
  const spec = objectAt(pod, 'spec');
  const [names = [], init = [], ephemeral = []] = KINDS.map((kind) =>
    eachObject(spec[kind]).map((container) => stringAt(container, 'name')),
  );
  const { name } = pod.metadata;
  if (wanted !== '') {
    if ([...names, ...init, ...ephemeral].includes(wanted)) return wanted;
    throw badRequest(`container ${wanted} is not valid for pod ${name}`);
  }
  const [only] = names;
  if (only !== undefined && names.length === 1) return only;
  const all = [...init, ...names, ...ephemeral].join(' ');
  throw badRequest(`a container name must be specified for pod ${name}, choose one of: [${all}]`);
}

/**
 * Returns when the requested container started, in ms.
 * @throws StatusError with the kubelet's message if it never started
 */
function startOf(pod: ApiObject, container: string, isPrevious: boolean): number {
  const status = statusOf(pod, container);
  const about = `container "${container}" in pod "${pod.metadata.name}"`;
  if (!status) throw badRequest(`${about} is not available`);
  const [state, lastState] = [objectAt(status, 'state'), objectAt(status, 'lastState')];
  const { terminated: last } = lastState;
  if (isPrevious && !last) throw badRequest(`previous terminated ${about} not found`);
  const found = isPrevious ? last : (state.running ?? state.terminated ?? last);
  if (found) return Date.parse(stringAt(found, 'startedAt'));
  throw badRequest(`${about} is waiting to start: ${waitingFor(stringAt(state.waiting, 'reason'))}`);
}

function statusOf({ status }: ApiObject, container: string): JsonObject | undefined {
  const all = ['containerStatuses', 'initContainerStatuses', 'ephemeralContainerStatuses'].flatMap((kind) =>
    eachObject(objectAt({ status }, 'status')[kind]),
  );
  return all.find(({ name }) => name === container);
}

function waitingFor(reason: string): string {
  if (reason === 'ErrImagePull') return "image can't be pulled";
  return reason === 'ImagePullBackOff' ? 'trying and failing to pull image' : reason;
}

/** Selects log lines; all lines have the start time of the container. */
function select(lines: readonly string[], startedAt: number, now: number, query: URLSearchParams): string {
  const [seconds, time, tail, limit] = ['sinceSeconds', 'sinceTime', 'tailLines', 'limitBytes'].map((key) =>
    query.get(key),
  );
  const since = typeof seconds === 'string' ? now - Number(seconds) * 1000 : Date.parse(time ?? '');
  if (startedAt < since) return '';
  const kept = typeof tail === 'string' ? lines.slice(lines.length - Math.min(Number(tail), lines.length)) : lines;
  const stamp = isTrue(query.get('timestamps')) ? `${formatTime(startedAt)} ` : '';
  const whole = kept.map((line) => `${stamp}${line}\n`).join('');
  return typeof limit === 'string' ? Buffer.from(whole).subarray(0, Number(limit)).toString() : whole;
}

/** Keeps the log open until the container ends, as `kubectl logs -f` expects. */
function follow(
  { store }: Registry,
  { storage }: Resource,
  pod: ApiObject,
  container: string,
  response: Parameters<Extract<Outcome, { type: 'stream' }>['start']>[0],
  body: string,
): void {
  response.writeHead(200, { 'Content-Type': 'text/plain', 'Cache-Control': 'no-cache, private' });
  response.flushHeaders();
  response.write(body);
  const restarts = statusOf(pod, container)?.restartCount;
  const isOver = (current: ApiObject): boolean => {
    const status = statusOf(current, container);
    return status?.restartCount !== restarts || objectAt(status, 'state').running === undefined;
  };
  if (isOver(pod)) {
    response.end();
    return;
  }
  const unsubscribe = store.collection(storage).subscribe(({ type, current: { object } }) => {
    if (object.metadata.uid === pod.metadata.uid && (type === 'DELETED' || isOver(object))) response.end();
  });
  response.once('close', unsubscribe);
}

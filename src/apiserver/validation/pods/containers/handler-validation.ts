import {
  forbiddenField,
  invalidValue,
  notSupported,
  required,
  type FieldError,
} from '../../../../api/protocol/field-error.js';
import { type JsonObject, arrayAt, eachObject, isJsonObject, numberAt, stringAt } from '../../../objects/api-object.js';
import { validateNonNegative, validatePort, validatePortNumberOrName } from '../../fields/field-checks.js';

const SECONDS = ['initialDelaySeconds', 'timeoutSeconds', 'periodSeconds', 'successThreshold', 'failureThreshold'];
const HEADER =
  "a valid HTTP header must consist of alphanumeric characters or '-' (e.g. 'X-Header-Name', regex used for validation is '[-A-Za-z0-9]+')";

type Handler = readonly [name: string, check: (handler: JsonObject, field: string, spec: JsonObject) => FieldError[]];

/** The handlers of probes and hooks in the order in which they are validated, with their checks. */
const COMMON: readonly Handler[] = [
  ['exec', (exec, field) => (arrayAt(exec, 'command').length === 0 ? [required(`${field}.command`)] : [])],
  ['httpGet', httpErrors],
  ['tcpSocket', ({ port }, field) => validatePortNumberOrName(`${field}.port`, port)],
];
const OF_PROBES: readonly Handler[] = [
  ...COMMON,
  ['grpc', (grpc, field) => validatePort(`${field}.port`, numberAt(grpc, 'port') ?? 0)],
];
const OF_HOOKS: readonly Handler[] = [...COMMON, ['sleep', sleepErrors]];

function sleepErrors(sleep: JsonObject, field: string, spec: JsonObject): FieldError[] {
  const [seconds, grace] = [numberAt(sleep, 'seconds') ?? 0, numberAt(spec, 'terminationGracePeriodSeconds')];
  if (grace === undefined || (seconds >= 0 && seconds <= grace)) return [];
  const detail = `must be non-negative and less than terminationGracePeriodSeconds (${grace})`;
  return [invalidValue(field, seconds, detail)];
}

function httpErrors(get: JsonObject, field: string): FieldError[] {
  return [
    ...(stringAt(get, 'path') === '' ? [required(`${field}.path`)] : []),
    ...validatePortNumberOrName(`${field}.port`, get.port),
    ...(['HTTP', 'HTTPS'].includes(get.scheme as string)
      ? []
      : [notSupported(`${field}.scheme`, get.scheme ?? '', ['HTTP', 'HTTPS'])]),
    ...eachObject(get.httpHeaders)
      .map((header) => stringAt(header, 'name'))
      .filter((name) => !/^[-A-Za-z0-9]+$/.test(name))
      .map((name) => invalidValue(`${field}.httpHeaders`, name, HEADER)),
  ];
}

/** Returns the errors of a probe or hook, which must have exactly one handler. */
function validateHandler(
  handler: JsonObject,
  field: string,
  spec: JsonObject,
  handlers: readonly Handler[],
): FieldError[] {
  const present = handlers.filter(([name]) => isJsonObject(handler[name]));
  if (present.length === 0) return [required(field, 'must specify a handler type')];
  return present.flatMap(([name, check], index) =>
    index === 0
      ? check(handler[name] as JsonObject, `${field}.${name}`, spec)
      : [forbiddenField(`${field}.${name}`, 'may not specify more than 1 handler type')],
  );
}

/** Returns the errors of the probes and hooks of a container of a pod. */
export function validateProbes(container: JsonObject, path: string, spec: JsonObject): FieldError[] {
  const { lifecycle, livenessProbe, readinessProbe, startupProbe } = container;
  const hooks = isJsonObject(lifecycle) ? lifecycle : {};
  return [
    ...['postStart', 'preStop'].flatMap((name) =>
      isJsonObject(hooks[name]) ? validateHandler(hooks[name], `${path}.lifecycle.${name}`, spec, OF_HOOKS) : [],
    ),
    ...probeErrors(livenessProbe, `${path}.livenessProbe`, onlyOneSuccess),
    ...probeErrors(readinessProbe, `${path}.readinessProbe`, noGracePeriod),
    ...probeErrors(startupProbe, `${path}.startupProbe`, onlyOneSuccess),
  ];
}

type ProbeCheck = (probe: JsonObject, field: string) => FieldError[];

const onlyOneSuccess: ProbeCheck = ({ successThreshold }, field) =>
  successThreshold === 1 ? [] : [invalidValue(`${field}.successThreshold`, successThreshold ?? 0, 'must be 1')];

const noGracePeriod: ProbeCheck = ({ terminationGracePeriodSeconds: grace }, field) =>
  grace === undefined
    ? []
    : [invalidValue(`${field}.terminationGracePeriodSeconds`, grace, 'must not be set for readinessProbes')];

function probeErrors(probe: unknown, field: string, check: ProbeCheck): FieldError[] {
  if (!isJsonObject(probe)) return [];
  const grace = numberAt(probe, 'terminationGracePeriodSeconds');
  return [
    ...validateHandler(probe, field, {}, OF_PROBES),
    ...SECONDS.flatMap((name) => validateNonNegative(`${field}.${name}`, numberAt(probe, name))),
    ...(grace !== undefined && grace <= 0
      ? [invalidValue(`${field}.terminationGracePeriodSeconds`, grace, 'must be greater than 0')]
      : []),
    ...check(probe, field),
  ];
}

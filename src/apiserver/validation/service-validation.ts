import { duplicate, invalidValue, notSupported, required, type FieldError } from '../../api/field-error.js';
import { numberAt, objectAt, stringAt, type ApiObject } from '../object.js';
import { eachObject } from '../builtin/set-default.js';
import { portErrors } from './pod-validation.js';
import { dnsLabelErrors, portNameErrors } from '../../api/names.js';

const TYPES = ['ClusterIP', 'ExternalName', 'LoadBalancer', 'NodePort'];
const PROTOCOLS = ['SCTP', 'TCP', 'UDP'];

/** Problems of a Service. */
export function validateService(object: ApiObject): FieldError[] {
  const spec = objectAt(object, 'spec');
  const type = stringAt(spec, 'type');
  const ports = eachObject(spec.ports);
  const errors: FieldError[] = [];
  if (!TYPES.includes(type)) errors.push(notSupported('spec.type', type, TYPES));
  if (type === 'ExternalName') {
    if (stringAt(spec, 'externalName') === '') errors.push(required('spec.externalName'));
  } else if (ports.length === 0 && spec.clusterIP !== 'None') errors.push(required('spec.ports'));
  const [names, keys] = [new Set<string>(), new Set<string>()];
  ports.forEach((port, index) => {
    const field = `spec.ports[${index}]`;
    const name = stringAt(port, 'name');
    if (name === '' && ports.length > 1) errors.push(required(`${field}.name`));
    else if (name !== '')
      errors.push(...dnsLabelErrors(name).map((message) => invalidValue(`${field}.name`, name, message)));
    if (name !== '' && names.has(name)) errors.push(duplicate(`${field}.name`, name));
    names.add(name);
    const protocol = stringAt(port, 'protocol');
    errors.push(...portErrors(`${field}.port`, numberAt(port, 'port') ?? 0));
    if (!PROTOCOLS.includes(protocol)) errors.push(notSupported(`${field}.protocol`, protocol, PROTOCOLS));
    errors.push(...targetPortErrors(`${field}.targetPort`, port.targetPort));
    const key = `${protocol}/${String(port.port)}`;
    if (keys.has(key)) errors.push(duplicate(field, { protocol, port: port.port }));
    keys.add(key);
  });
  return errors;
}

function targetPortErrors(field: string, target: unknown): FieldError[] {
  if (typeof target === 'number') return portErrors(field, target);
  if (typeof target !== 'string') return [];
  return portNameErrors(target).map((message) => invalidValue(field, target, message));
}

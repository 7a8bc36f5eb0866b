import { numberAt, objectAt, stringAt, type ApiObject } from '../objects/api-object.js';

/** The collection of APIServices. */
export const API_SERVICES = 'apiservices.apiregistration.k8s.io';

/** A reference to the Service of an APIService. */
export interface ServiceReference {
  readonly namespace: string;
  readonly name: string;
  readonly port: number;
}

/** Returns undefined for an APIService that this server serves itself. */
export function serviceOf({ spec }: ApiObject): ServiceReference | undefined {
  const service = objectAt(spec, 'service');
  const name = stringAt(service, 'name');
  if (name === '') return undefined;
  return { namespace: stringAt(service, 'namespace'), name, port: numberAt(service, 'port') ?? 443 };
}

/** The path that the server of an APIService must serve to be available. */
export function documentPath({ spec }: ApiObject): string {
  const { group = '', version } = spec as { group?: string; version: string };
  return group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
}

import { numberAt, objectAt, stringAt, type ApiObject } from '../objects/api-object.js';

/** Where all APIServices are kept. */
export const API_SERVICES = 'apiservices.apiregistration.k8s.io';

/** The Service behind an APIService. */
export interface ServiceReference {
  readonly namespace: string;
  readonly name: string;
  readonly port: number;
}

/** Undefined where this server answers itself. */
export function serviceOf({ spec }: ApiObject): ServiceReference | undefined {
  const service = objectAt(spec, 'service');
  const name = stringAt(service, 'name');
  if (name === '') return undefined;
  return { namespace: stringAt(service, 'namespace'), name, port: numberAt(service, 'port') ?? 443 };
}

/** Where the server of an APIService has to answer. */
export function documentPath({ spec }: ApiObject): string {
  const { group = '', version } = spec as { group?: string; version: string };
  return group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
}

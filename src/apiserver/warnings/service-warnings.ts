import { arrayAt, eachObject, objectAt, stringAt, type ApiObject, type JsonObject } from '../objects/api-object.js';
import { addressWarnings, networkWarnings } from './address-warnings.js';

const HINTS = 'service.kubernetes.io/topology-aware-hints';

/**
 * Returns warnings for a Service: GetWarningsForService of pkg/api/service; for its status, only those of addresses.
 */
export function serviceWarnings(object: ApiObject, _old: ApiObject | undefined, subresource: string): string[] {
  if (subresource === 'status') return ingressWarnings(object);
  const spec = objectAt(object, 'spec');
  const isHeadless = spec.type === 'ClusterIP' && spec.clusterIP === 'None';
  return [
    ...(object.metadata.annotations?.[HINTS] === undefined
      ? []
      : [`annotation ${HINTS} is deprecated, please use service.kubernetes.io/topology-mode instead`]),
    ...(isHeadless
      ? headlessWarnings(spec)
      : textsAt(spec, 'clusterIPs').flatMap((ip, index) => addressWarnings(`spec.clusterIPs[${index}]`, ip))),
    ...textsAt(spec, 'externalIPs').flatMap((ip, index) => addressWarnings(`spec.externalIPs[${index}]`, ip)),
    ...externalWarnings(spec, isHeadless),
    ...addressWarnings('spec.loadBalancerIP', stringAt(spec, 'loadBalancerIP')),
    ...textsAt(spec, 'loadBalancerSourceRanges').flatMap((range, index) =>
      networkWarnings(`spec.loadBalancerSourceRanges[${index}]`, range),
    ),
    ...ignoredWarnings(spec),
    ...(spec.trafficDistribution === 'PreferClose'
      ? ['spec.trafficDistribution: "PreferClose" is deprecated; use "PreferSameZone"']
      : []),
  ];
}

function headlessWarnings(spec: JsonObject): string[] {
  return [
    ...(stringAt(spec, 'loadBalancerIP') === '' ? [] : ['spec.loadBalancerIP is ignored for headless services']),
    ...(textsAt(spec, 'externalIPs').length === 0 ? [] : ['spec.externalIPs is ignored for headless services']),
    ...(spec.sessionAffinity === 'None' ? [] : ['spec.SessionAffinity is ignored for headless services']),
  ];
}

function externalWarnings(spec: JsonObject, isHeadless: boolean): string[] {
  if (textsAt(spec, 'externalIPs').length === 0 || isHeadless || spec.type === 'ExternalName') return [];
  return ['spec.externalIPs is deprecated and may no longer be implemented in some clusters'];
}

function ignoredWarnings(spec: JsonObject): string[] {
  const isExternalName = spec.type === 'ExternalName';
  if (isExternalName && textsAt(spec, 'externalIPs').length > 0)
    return ['spec.externalIPs is ignored when spec.type is "ExternalName"'];
  if (!isExternalName && stringAt(spec, 'externalName') !== '')
    return ['spec.externalName is ignored when spec.type is not "ExternalName"'];
  return [];
}

/** Returns warnings for the load balancer addresses of a Service or an Ingress. */
export function ingressWarnings({ status }: ApiObject): string[] {
  return eachObject(objectAt(status, 'loadBalancer').ingress).flatMap((entry, index) =>
    addressWarnings(`status.loadBalancer.ingress[${index}]`, stringAt(entry, 'ip')),
  );
}

function textsAt(spec: JsonObject, field: string): readonly string[] {
  return arrayAt(spec, field).map(String);
}

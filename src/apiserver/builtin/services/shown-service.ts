import { objectAt, without, type ApiObject, type JsonObject } from '../../objects/api-object.js';
import { familyOf } from '../../validation/fields/ip-address.js';
import { clusterIpsOf, ipFamiliesOf, needsClusterIp } from '../../objects/service-type.js';

/** A Service as its endpoint shows it, the status endpoint aside: pkg/registry/core/service/storage, defaultOnRead. */
export function shownService(service: ApiObject): ApiObject {
  const spec = objectAt(service, 'spec');
  const shown = withFamilies(withList(withoutPolicy(spec)));
  return shown === spec ? service : { ...service, spec: shown };
}

/** One that was of another type before has it still. */
function withoutPolicy(spec: JsonObject): JsonObject {
  const isLeft = spec.type === 'ExternalName' && spec.internalTrafficPolicy !== undefined;
  return isLeft ? without(spec, 'internalTrafficPolicy') : spec;
}

function withList(spec: JsonObject): JsonObject {
  return spec.clusterIP && clusterIpsOf(spec).length === 0 ? { ...spec, clusterIPs: [spec.clusterIP] } : spec;
}

function withFamilies(spec: JsonObject): JsonObject {
  if (!needsClusterIp(spec) || ipFamiliesOf(spec).length > 0) return spec;
  if (spec.clusterIP === 'None') {
    const isFree = Object.keys(objectAt(spec, 'selector')).length === 0;
    return isFree
      ? { ...spec, ipFamilyPolicy: 'RequireDualStack', ipFamilies: ['IPv4', 'IPv6'] }
      : { ...spec, ipFamilyPolicy: 'SingleStack', ipFamilies: ['IPv4'] };
  }
  const ipFamilies = clusterIpsOf(spec).map((ip) => familyOf(ip) ?? 'IPv4');
  if (ipFamilies.length === 0) return spec;
  return { ...spec, ipFamilies, ipFamilyPolicy: ipFamilies.length === 1 ? 'SingleStack' : 'RequireDualStack' };
}

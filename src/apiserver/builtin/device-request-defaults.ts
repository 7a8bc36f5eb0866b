import { isJsonObject, numberAt, objectAt, type ApiObject, type JsonObject } from '../object.js';
import { eachObject, setDefaults } from './set-default.js';

/** A ResourceClaim asks for one device where it does not say how many. */
export function defaultResourceClaim(object: ApiObject): void {
  defaultDeviceRequests(objectAt(object, 'spec'));
}

/** A ResourceClaimTemplate has the spec of its claims within its own. */
export function defaultResourceClaimTemplate(object: ApiObject): void {
  defaultDeviceRequests(objectAt(objectAt(object, 'spec'), 'spec'));
}

function defaultDeviceRequests(spec: JsonObject): void {
  for (const { exactly, firstAvailable } of eachObject(objectAt(spec, 'devices').requests))
    for (const request of [...(isJsonObject(exactly) ? [exactly] : []), ...eachObject(firstAvailable)])
      defaultRequest(request);
}

function defaultRequest(request: JsonObject): void {
  setDefaults(request, { allocationMode: 'ExactCount' });
  if (request.allocationMode === 'ExactCount' && (numberAt(request, 'count') ?? 0) === 0) request.count = 1;
}

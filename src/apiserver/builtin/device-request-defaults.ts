import {
  type ApiObject,
  type JsonObject,
  eachObject,
  isJsonObject,
  numberAt,
  objectAt,
  stringAt,
} from '../objects/api-object.js';

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
  if (stringAt(request, 'allocationMode') === '') request.allocationMode = 'ExactCount';
  for (const toleration of eachObject(request.tolerations))
    if (stringAt(toleration, 'operator') === '') toleration.operator = 'Equal';
  if (request.allocationMode === 'ExactCount' && (numberAt(request, 'count') ?? 0) === 0) request.count = 1;
}

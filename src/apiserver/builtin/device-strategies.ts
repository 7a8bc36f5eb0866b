import { forbiddenField, invalidValue, type FieldError } from '../../api/protocol/field-error.js';
import { invalid } from '../errors/status-error.js';
import {
  objectAt,
  type ApiObject,
  type JsonObject,
  eachObject,
  isJsonObject,
  numberAt,
  stringAt,
} from '../objects/api-object.js';
import type { Strategy } from '../resources/resource.js';
import type { ObjectStore } from '../storage/object-store.js';
import { validateDeviceClass } from '../validation/devices/device-validation.js';
import {
  adminAccessField,
  validateResourceClaim,
  validateResourceClaimTemplate,
} from '../validation/devices/device-claim-validation.js';
import { validateResourceSlice, validateResourceSliceChange } from '../validation/devices/resource-slice-validation.js';
import { internalEqual, internalForm } from '../validation/fields/internal-form.js';
import { fullNameErrors } from './name-validation.js';
import { statusStrategy } from './status-strategy.js';
import { objectThenChange } from '../validation/update-order.js';

const GROUP = 'resource.k8s.io';
const ADMIN_ACCESS = 'resource.kubernetes.io/admin-access';

/** Returns a validation that the spec is unchanged. */
const frozenAs =
  (type: string) =>
  (next: ApiObject, old: ApiObject, subresource: string): FieldError[] =>
    subresource !== '' || internalEqual(type, next.spec, old.spec)
      ? []
      : [invalidValue('spec', internalForm(type, next.spec), 'field is immutable')];

/** Strategies of the kinds of resource.k8s.io. */
export const deviceStrategies: Readonly<Record<string, Strategy>> = {
  [`deviceclasses.${GROUP}`]: {
    metadataChecks: 'own',
    hasGeneration: true,
    validate: validateDeviceClass,
    validateName: fullNameErrors,
    validateUpdate: objectThenChange(() => [], validateDeviceClass, { nameErrors: () => [] }),
  },
  [`resourceslices.${GROUP}`]: {
    hasGeneration: true,
    validate: validateResourceSlice,
    validateUpdate: validateResourceSliceChange,
  },
  [`resourceclaims.${GROUP}`]: {
    ...statusStrategy,
    metadataChecks: 'own',
    prepareForCreate: (next, { store }) => {
      assertAdminAccess('ResourceClaim', next, objectAt(next, 'spec'), store);
    },
    validate: validateResourceClaim,
    validateUpdate: objectThenChange(() => [], frozenAs('resource.ResourceClaimSpec')),
  },
  [`resourceclaimtemplates.${GROUP}`]: {
    metadataChecks: 'own',
    prepareForCreate: (next, { store }) => {
      assertAdminAccess('ResourceClaimTemplate', next, objectAt(objectAt(next, 'spec'), 'spec'), store);
    },
    validate: validateResourceClaimTemplate,
    validateUpdate: objectThenChange(validateResourceClaimTemplate, frozenAs('resource.ResourceClaimTemplateSpec')),
  },
};

/** Rejects admin access to devices in namespaces without the required label. */
function assertAdminAccess(kind: string, { metadata }: ApiObject, spec: object, store: ObjectStore): void {
  const { name, namespace = '' } = metadata;
  const field = adminAccessField(objectAt(spec, 'devices').requests);
  if (field === undefined || store.get('namespaces', namespace)?.object.metadata.labels?.[ADMIN_ACCESS] === 'true')
    return;
  const why = `admin access to devices requires the \`${ADMIN_ACCESS}: true\` label on the containing namespace`;
  throw invalid({ group: GROUP, kind }, name, [forbiddenField(field, why)]);
}

/** Sets the defaults of a ResourceClaim, such as a count of one device. */
export function defaultResourceClaim(object: ApiObject): void {
  defaultDeviceRequests(objectAt(object, 'spec'));
}

/** Sets the defaults of a ResourceClaimTemplate, which contains the spec of its claims. */
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

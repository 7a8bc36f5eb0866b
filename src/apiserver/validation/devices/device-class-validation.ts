import { invalidValue, type FieldError } from '../../../api/field-error.js';
import { eachObject } from '../../objects/api-object.js';
import { objectAt, type ApiObject } from '../../objects/api-object.js';
import { isExtended } from '../fields/resource-name-validation.js';
import { opaqueErrors, selectorErrors } from './device-configuration-validation.js';
import { checkListed } from './item-lists.js';

const MAX_ITEMS = 32;

/** Problems of a DeviceClass. */
export function validateDeviceClass(deviceClass: ApiObject): FieldError[] {
  const { selectors, config, extendedResourceName } = objectAt(deviceClass, 'spec');
  const isOdd = typeof extendedResourceName === 'string' && !isExtended(extendedResourceName);
  const detail = 'must be a valid extended resource name';
  return [
    ...checkListed(eachObject(selectors), MAX_ITEMS, 'spec.selectors', selectorErrors),
    ...checkListed(eachObject(config), MAX_ITEMS, 'spec.config', ({ opaque }, path) =>
      opaqueErrors(opaque, `${path}.opaque`),
    ),
    ...(isOdd ? [invalidValue('spec.extendedResourceName', extendedResourceName, detail)] : []),
  ];
}

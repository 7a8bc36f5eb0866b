import { validateIngressClass, validateIngressClassChange } from '../validation/network/ingress-class-validation.js';
import type { Strategy } from '../resources/resource.js';
import { changeThenObject, objectAlone, objectThenChange } from '../validation/update-order.js';
import { dnsLabelErrors } from '../../api/objects/names.js';
import {
  validateEndpoints,
  validateEndpointSlice,
  validateEndpointSliceChange,
} from '../validation/network/endpoint-validation.js';
import { validateIngress, validateNetworkPolicy } from '../validation/network/network-validation.js';
import {
  addressNameErrors,
  validateIpAddress,
  validateIpAddressChange,
  validateServiceCidr,
  validateServiceCidrChange,
} from '../validation/network/service-range-validation.js';
import { validateService, validateServiceUpdate } from '../validation/network/service-validation.js';
import { statusStrategy } from './status-strategy.js';
import { serviceStrategy } from './services/service-strategy.js';

const whole: Strategy = { metadataChecks: 'whole' };
/** Validations of the kind in its own order: see update-order.ts. */
const own: Strategy = { metadataChecks: 'own' };

/** Strategies of the networking kinds. */
export const networkStrategies: Readonly<Record<string, Strategy>> = {
  'ingresses.networking.k8s.io': {
    ...whole,
    hasGeneration: true,
    validate: validateIngress,
    validateUpdate: validateIngress,
  },
  'ingressclasses.networking.k8s.io': {
    ...own,
    hasGeneration: true,
    validate: validateIngressClass,
    validateUpdate: changeThenObject(validateIngressClass, validateIngressClassChange),
  },
  'ipaddresses.networking.k8s.io': {
    ...own,
    generateName: (base) => base, // an address has no random suffix
    validateName: addressNameErrors,
    validate: validateIpAddress,
    validateUpdate: objectThenChange(validateIpAddress, validateIpAddressChange),
  },
  'servicecidrs.networking.k8s.io': {
    ...statusStrategy,
    validate: validateServiceCidr,
    validateUpdate: validateServiceCidrChange,
  },
  'networkpolicies.networking.k8s.io': {
    hasGeneration: true,
    distinguishesEmptyFromAbsent: true,
    validate: validateNetworkPolicy,
    validateUpdate: validateNetworkPolicy,
  },
  'endpointslices.discovery.k8s.io': {
    ...own,
    hasGeneration: true,
    specOf: ({ metadata, ...rest }) => [rest, metadata.labels],
    validate: validateEndpointSlice,
    validateUpdate: objectAlone([validateEndpointSlice], validateEndpointSliceChange),
  },
  endpoints: {
    ...whole,
    allowsCreateOnUpdate: true,
    validate: validateEndpoints,
    validateUpdate: validateEndpoints,
  },
  services: {
    ...serviceStrategy,
    validate: validateService,
    validateUpdate: validateServiceUpdate,
    validateName: dnsLabelErrors,
    allowsCreateOnUpdate: true,
  },
};

import type { RefusedObject } from './refused-objects.js';

/** Invalid limits, quotas, templates and storage drivers. */
export const REFUSED_LIMITS: readonly RefusedObject[] = [
  [
    'a Pod with ephemeral containers at its creation',
    '/api/v1/namespaces/default/pods',
    {
      apiVersion: 'v1',
      kind: 'Pod',
      spec: { containers: [{ name: 'c', image: 'i' }], ephemeralContainers: [{ name: 'e', image: 'i' }] },
    },
    'spec.ephemeralContainers: Forbidden: cannot be set on create',
  ],
  [
    'a ResourceQuota of unknown resources',
    '/api/v1/namespaces/default/resourcequotas',
    { apiVersion: 'v1', kind: 'ResourceQuota', spec: { hard: { odd: '1' } } },
    '[spec.hard[odd]: Invalid value: "odd": must be a standard resource type or fully qualified, spec.hard[odd]: Invalid value: "odd": must be a standard resource for quota]',
  ],
  [
    'a ResourceQuota with contradictory scopes',
    '/api/v1/namespaces/default/resourcequotas',
    {
      apiVersion: 'v1',
      kind: 'ResourceQuota',
      spec: { hard: { pods: '1.5' }, scopes: ['BestEffort', 'NotBestEffort'] },
    },
    '[spec.hard[pods]: Invalid value: "1500m": must be an integer, spec.scopes: Invalid value: ["BestEffort","NotBestEffort"]: conflicting scopes]',
  ],
  [
    'a LimitRange with a minimum above its maximum',
    '/api/v1/namespaces/default/limitranges',
    {
      apiVersion: 'v1',
      kind: 'LimitRange',
      spec: { limits: [{ type: 'Container', max: { cpu: '1' }, min: { cpu: '2' } }] },
    },
    '[spec.limits[0].min[cpu]: Invalid value: "2": min value 2 is greater than max value 1, spec.limits[0].defaultRequest[cpu]: Invalid value: "1": min value 2 is greater than default request value 1, spec.limits[0].default[cpu]: Invalid value: "2": min value 2 is greater than default value 1]',
  ],
  [
    'a ReplicationController without a template',
    '/api/v1/namespaces/default/replicationcontrollers',
    { apiVersion: 'v1', kind: 'ReplicationController', spec: { replicas: -1 } },
    '[spec.selector: Required value, spec.replicas: Invalid value: -1: must be greater than or equal to 0, spec.template: Required value]',
  ],
  [
    'a ControllerRevision without data',
    '/apis/apps/v1/namespaces/default/controllerrevisions',
    { apiVersion: 'apps/v1', kind: 'ControllerRevision', revision: -1 },
    '[revision: Invalid value: -1: must be greater than or equal to 0, data: Required value: data is mandatory]',
  ],
  [
    'a CSIDriver with tokens that expire too soon',
    '/apis/storage.k8s.io/v1/csidrivers',
    {
      apiVersion: 'storage.k8s.io/v1',
      kind: 'CSIDriver',
      spec: { tokenRequests: [{ audience: 'a', expirationSeconds: 5 }, { audience: 'a' }] },
    },
    '[spec.tokenRequests[0].expirationSeconds: Invalid value: 5: may not specify a duration less than 10 minutes, spec.tokenRequests[1].audience: Duplicate value: "a"]',
  ],
];

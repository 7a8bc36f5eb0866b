import { FORMATTED } from './format-scenario.js';

/** A custom resource that uses what schemas offer. */
export function widgetDefinition() {
  const formatted = Object.fromEntries(Object.keys(FORMATTED).map((format) => [format, { type: 'string', format }]));
  const spec = {
    type: 'object',
    required: ['size'],
    properties: {
      size: { type: 'integer', format: 'int32', minimum: 0, maximum: 10 },
      mode: { type: 'string', enum: ['fast', 'slow'], default: 'fast' },
      name: { type: 'string', pattern: '^[a-z]+$', minLength: 2, maxLength: 5 },
      ports: {
        type: 'array',
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['port', 'protocol'],
        items: {
          type: 'object',
          required: ['port'],
          properties: {
            port: { type: 'integer' },
            protocol: { type: 'string', default: 'TCP' },
            note: { type: 'string' },
          },
        },
      },
      tags: { type: 'array', 'x-kubernetes-list-type': 'set', items: { type: 'string' } },
      free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
      values: { type: 'object', additionalProperties: { type: 'string' } },
      port: { 'x-kubernetes-int-or-string': true },
      when: { type: 'string', format: 'date-time' },
      formatted: { type: 'object', properties: formatted },
    },
    'x-kubernetes-validations': [{ rule: "self.mode != 'slow' || self.size < 5", message: 'slow widgets are small' }],
  };
  const status = {
    type: 'object',
    properties: { replicas: { type: 'integer' }, selector: { type: 'string' }, note: { type: 'string' } },
  };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'widgets.fidelity.example.com' },
    spec: {
      group: 'fidelity.example.com',
      scope: 'Namespaced',
      names: { plural: 'widgets', singular: 'widget', kind: 'Widget', shortNames: ['wd'] },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: 'object', properties: { spec, status } } },
          subresources: {
            status: {},
            scale: {
              specReplicasPath: '.spec.size',
              statusReplicasPath: '.status.replicas',
              labelSelectorPath: '.status.selector',
            },
          },
          additionalPrinterColumns: [{ name: 'Size', type: 'integer', jsonPath: '.spec.size' }],
          selectableFields: [{ jsonPath: '.spec.mode' }],
        },
      ],
    },
  };
}

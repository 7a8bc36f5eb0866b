export * from './resource/definitions/kubernetes-definitions.js';
export type { Definition } from './api/kinds/definition.js';
export type { JsonSchema, ValidationRule } from './api/schema/json-schema.js';
export type { Json } from './api/objects/kube-object.js';

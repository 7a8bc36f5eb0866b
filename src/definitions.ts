export * from './resource/definitions/kubernetes-definitions.js';
export type { Definition } from './api/definition.js';
export type { JsonSchema, ValidationRule } from './api/json-schema.js';
export type { Json } from './api/kube-object.js';

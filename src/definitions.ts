export { Condition } from './resource/definitions/condition.js';
export type { Definition } from './resource/definition.js';
export * from './resource/definitions/kubernetes-definitions.js';
export { LabelSelector, LabelSelectorRequirement } from './resource/definitions/label-selector.js';
export type { JsonSchema, ValidationRule } from './api/json-schema.js';
export type { Json } from './api/kube-object.js';

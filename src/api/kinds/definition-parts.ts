import type { CustomResourceDefinition } from './kinds.js';

/** The names of a CustomResourceDefinition. */
export type DefinitionNames = CustomResourceDefinition['spec']['names'];

/** A version of a CustomResourceDefinition. */
export type DefinitionVersion = CustomResourceDefinition['spec']['versions'][number];

import type { CustomResourceDefinition } from './kinds.js';

/** What a CustomResourceDefinition calls its objects. */
export type DefinitionNames = CustomResourceDefinition['spec']['names'];

/** One of the versions of a CustomResourceDefinition. */
export type DefinitionVersion = CustomResourceDefinition['spec']['versions'][number];

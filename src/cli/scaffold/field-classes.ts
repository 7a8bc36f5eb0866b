/** The classes of spec and status that a new class of a kind has. */
export function fieldClasses(className: string): string {
  return `/** ${className}Spec is what is wanted. */
class ${className}Spec {
  /** How many pods to run. */
  @Field({ type: 'integer', format: 'int32', minimum: 0, default: 1 })
  replicas!: number;

  /** The image that they run. */
  @Field({ minLength: 1 })
  image!: string;
}

/** ${className}Status is what was seen. */
class ${className}Status {
  /** How many pods are ready. */
  @Field({ type: 'integer', format: 'int32' })
  readyReplicas = 0;
}
`;
}

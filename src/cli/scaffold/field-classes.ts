/** The spec and status classes of a new class of a kind. */
export function fieldClasses(className: string): string {
  return `/** ${className}Spec defines the desired state. */
class ${className}Spec {
  /** Number of pods to run. */
  @Field({ format: 'int32', minimum: 0, default: 1 })
  replicas!: number;

  /** Image of the pods. */
  @Field({ minLength: 1 })
  image!: string;
}

/** ${className}Status defines the observed state. */
class ${className}Status {
  /** Number of ready pods. */
  @Field({ format: 'int32' })
  readyReplicas: number = 0;
}
`;
}

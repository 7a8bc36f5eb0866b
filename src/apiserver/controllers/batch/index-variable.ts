import { eachObject } from '../../objects/api-object.js';
import type { JsonObject } from '../../objects/api-object.js';
import { INDEX } from './job-pods.js';

const NAME = 'JOB_COMPLETION_INDEX';

/** The spec of a pod whose containers are told the index of the Job they work on, unless they have a variable of that name. */
export function withIndexVariable(spec: JsonObject): JsonObject {
  const variable = { name: NAME, valueFrom: { fieldRef: { fieldPath: `metadata.labels['${INDEX}']` } } };
  const told = (containers: unknown): JsonObject[] =>
    eachObject(containers).map((container) => {
      const env = eachObject(container.env);
      return env.some(({ name }) => name === NAME) ? container : { ...container, env: [...env, variable] };
    });
  const { initContainers, containers } = spec;
  return {
    ...spec,
    ...(initContainers !== undefined && { initContainers: told(initContainers) }),
    containers: told(containers),
  };
}

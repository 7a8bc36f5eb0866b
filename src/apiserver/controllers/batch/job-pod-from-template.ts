import { objectAt, type ApiObject, type JsonObject, eachObject } from '../../objects/api-object.js';
import type { Resource } from '../../resources/resource.js';
import { podFromTemplate } from '../pod-control.js';
import { INDEX, TRACKING } from './job-pods.js';

/** Returns a pod for a Job, with its completion index if the Job is indexed. */
export function jobPodFromTemplate(
  jobs: Resource,
  job: ApiObject,
  annotations: Record<string, string>,
  index: number | undefined,
): JsonObject {
  const finalizers = [TRACKING];
  if (index === undefined) return podFromTemplate(jobs, job, { finalizers });
  const marks = { [INDEX]: String(index) };
  const hostname = `${job.metadata.name}-${index}`;
  const pod = podFromTemplate(jobs, job, {
    finalizers,
    labels: marks,
    annotations: { ...marks, ...annotations },
    spec: { hostname },
  });
  const metadata = { ...objectAt(pod, 'metadata'), generateName: `${hostname}-` };
  return { ...pod, metadata, spec: withIndexVariable(objectAt(pod, 'spec')) };
}

const NAME = 'JOB_COMPLETION_INDEX';

/** Adds the variable with the completion index to all containers that do not define it. */
function withIndexVariable(spec: JsonObject): JsonObject {
  const variable = { name: NAME, valueFrom: { fieldRef: { fieldPath: `metadata.labels['${INDEX}']` } } };
  const withVariable = (containers: unknown): JsonObject[] =>
    eachObject(containers).map((container) => {
      const env = eachObject(container.env);
      return env.some(({ name }) => name === NAME) ? container : { ...container, env: [...env, variable] };
    });
  const { initContainers, containers } = spec;
  return {
    ...spec,
    ...(initContainers !== undefined && { initContainers: withVariable(initContainers) }),
    containers: withVariable(containers),
  };
}

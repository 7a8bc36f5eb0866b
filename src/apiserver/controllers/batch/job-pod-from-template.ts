import { objectAt, type ApiObject, type JsonObject, eachObject } from '../../objects/api-object.js';
import type { Resource } from '../../resources/resource.js';
import { podFromTemplate } from '../pod-control.js';
import { INDEX, TRACKING } from './job-pods.js';

/** A pod for a Job, of one of its completion indexes if it has those. */
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

/** The spec of a pod whose containers are told the index of the Job they work on, unless they have a variable of that name. */
function withIndexVariable(spec: JsonObject): JsonObject {
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

import { objectAt, type ApiObject, type JsonObject } from '../../objects/api-object.js';
import type { Resource } from '../../resources/resource.js';
import { podFromTemplate } from '../pod-control.js';
import { withIndexVariable } from './index-variable.js';
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

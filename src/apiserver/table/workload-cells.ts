import { type ApiObject, eachObject, numberAt, objectAt, stringAt } from '../objects/api-object.js';
import { selectorText } from '../objects/selector-text.js';
import { selector, spec, specOf, status, statusOf, templateCells, type Cell, type Cells } from './cell.js';
import { humanAge } from './human-duration.js';
import { metricTargets } from './metric-targets.js';
import { podCells, type PodCells } from './pod-cells.js';

const pod =
  (name: keyof PodCells): Cell =>
  (object, now) =>
    podCells(object, now)[name];

const ratio =
  (part: Cell, whole: Cell): Cell =>
  (object, now) =>
    `${Number(part(object, now))}/${Number(whole(object, now))}`;

const READY = ratio(status('readyReplicas'), spec('replicas'));
const TEMPLATE = { ...templateCells((object) => specOf(object).template), Selector: selector() };

const jobStatus = (job: ApiObject): string => {
  const conditions = eachObject(statusOf(job).conditions);
  const met = (type: string) => conditions.some((condition) => condition.type === type && condition.status === 'True');
  if (met('Complete')) return 'Complete';
  if (met('Failed')) return 'Failed';
  if (job.metadata.deletionTimestamp !== undefined) return 'Terminating';
  if (met('Suspended')) return 'Suspended';
  if (met('FailureTarget')) return 'FailureTarget';
  return met('SuccessCriteriaMet') ? 'SuccessCriteriaMet' : 'Running';
};

const REPLICAS: Cells = {
  Desired: spec('replicas'),
  Current: status('replicas'),
  Ready: status('readyReplicas'),
  ...TEMPLATE,
};

const completions: Cell = (job) => {
  const { completions: wanted, parallelism } = specOf(job);
  const done = `${numberAt(job.status, 'succeeded') ?? 0}/${Number(wanted ?? 1)}`;
  return wanted === undefined && Number(parallelism) > 1 ? `${done} of ${Number(parallelism)}` : done;
};

/** The cells of pods and the workloads that create them. */
export const WORKLOAD_CELLS: Readonly<Record<string, Cells>> = {
  Pod: {
    Ready: pod('ready'),
    Status: pod('status'),
    Restarts: pod('restarts'),
    IP: pod('ip'),
    Node: pod('node'),
    'Nominated Node': pod('nominatedNode'),
    'Readiness Gates': () => '<none>',
  },
  PodTemplate: {
    ...templateCells(({ template }) => template),
    'Pod Labels': ({ template }) =>
      selectorText(objectAt(objectAt({ template }, 'template'), 'metadata').labels) || '<none>',
  },
  ReplicationController: REPLICAS,
  'ReplicaSet.apps': REPLICAS,
  'Deployment.apps': {
    Ready: READY,
    'Up-to-date': status('updatedReplicas'),
    Available: status('availableReplicas'),
    ...TEMPLATE,
  },
  'StatefulSet.apps': { Ready: READY, ...TEMPLATE },
  'DaemonSet.apps': {
    Desired: status('desiredNumberScheduled'),
    Current: status('currentNumberScheduled'),
    Ready: status('numberReady'),
    'Up-to-date': status('updatedNumberScheduled'),
    Available: status('numberAvailable'),
    'Node Selector': (object) =>
      selectorText(objectAt(objectAt(specOf(object).template, 'spec'), 'nodeSelector')) || '<none>',
    ...TEMPLATE,
  },
  'ControllerRevision.apps': {
    Controller: ({ metadata }) => {
      const owner = metadata.ownerReferences?.find(({ controller }) => controller === true);
      if (!owner) return '<none>';
      const [group, version] = owner.apiVersion.split('/');
      const suffix = version === undefined ? '' : `.${String(group)}`;
      return `${owner.kind.toLowerCase()}${suffix}/${owner.name}`;
    },
    Revision: ({ revision }) => revision,
  },
  'Job.batch': {
    Status: jobStatus,
    Completions: completions,
    Duration: (job, now) =>
      humanAge(stringAt(job.status, 'startTime'), Date.parse(stringAt(job.status, 'completionTime')) || now, ''),
    ...TEMPLATE,
  },
  'CronJob.batch': {
    Schedule: spec('schedule', ''),
    Timezone: spec('timeZone', '<none>'),
    Suspend: (object) => (specOf(object).suspend === true ? 'True' : 'False'),
    Active: (object) => eachObject(statusOf(object).active).length,
    'Last Schedule': (object, now) => humanAge(stringAt(object.status, 'lastScheduleTime'), now, '<none>'),
    ...templateCells((object) => objectAt(objectAt(specOf(object), 'jobTemplate'), 'spec').template),
    Selector: (object) =>
      selectorText(objectAt(objectAt(objectAt(specOf(object), 'jobTemplate'), 'spec'), 'selector')) || '<none>',
  },
  'HorizontalPodAutoscaler.autoscaling': {
    Reference: (object) => {
      const target = objectAt(specOf(object), 'scaleTargetRef');
      return `${stringAt(target, 'kind')}/${stringAt(target, 'name')}`;
    },
    Targets: metricTargets,
    MinPods: (object) => String(numberAt(specOf(object), 'minReplicas') ?? '<unset>'),
    MaxPods: spec('maxReplicas'),
    Replicas: status('currentReplicas'),
  },
  'PodDisruptionBudget.policy': {
    'Min Available': (object) => String(spec('minAvailable', 'N/A')(object, 0)),
    'Max Unavailable': (object) => String(spec('maxUnavailable', 'N/A')(object, 0)),
    'Allowed Disruptions': status('disruptionsAllowed'),
  },
};

import { ownMember } from '../../../base/own-member.js';
import { invalidValue, type FieldError } from '../../../api/protocol/field-error.js';
import { numberAt, objectAt, type ApiObject } from '../../objects/api-object.js';
import { validateNonNegative } from '../fields/field-checks.js';

/** The counts of a status in validation order, and those that must not exceed the number of replicas. */
const COUNTS: Readonly<Record<string, readonly [counts: readonly string[], parts: readonly string[]]>> = {
  Deployment: [
    [
      'observedGeneration',
      'replicas',
      'updatedReplicas',
      'readyReplicas',
      'availableReplicas',
      'unavailableReplicas',
      'terminatingReplicas',
      'collisionCount',
    ],
    ['updatedReplicas', 'readyReplicas', 'availableReplicas'],
  ],
  ReplicationController: [
    ['replicas', 'fullyLabeledReplicas', 'readyReplicas', 'availableReplicas', 'observedGeneration'],
    ['fullyLabeledReplicas', 'readyReplicas', 'availableReplicas'],
  ],
  ReplicaSet: [
    [
      'replicas',
      'fullyLabeledReplicas',
      'readyReplicas',
      'availableReplicas',
      'observedGeneration',
      'terminatingReplicas',
    ],
    ['fullyLabeledReplicas', 'readyReplicas', 'availableReplicas'],
  ],
  StatefulSet: [
    [
      'replicas',
      'readyReplicas',
      'currentReplicas',
      'updatedReplicas',
      'availableReplicas',
      'observedGeneration',
      'collisionCount',
    ],
    ['readyReplicas', 'currentReplicas', 'updatedReplicas', 'availableReplicas'],
  ],
  DaemonSet: [
    [
      'currentNumberScheduled',
      'numberMisscheduled',
      'desiredNumberScheduled',
      'numberReady',
      'observedGeneration',
      'updatedNumberScheduled',
      'numberAvailable',
      'numberUnavailable',
      'collisionCount',
    ],
    [],
  ],
};

/** Returns the errors of the counts in a workload's status. */
export function validateReplicaStatus(object: ApiObject, old: ApiObject): FieldError[] {
  const [status, former] = [objectAt(object, 'status'), objectAt(old, 'status')];
  const [counts, parts] = ownMember(COUNTS, object.kind) ?? [[], []];
  const count = (name: string): number => numberAt(status, name) ?? 0;
  const all = count('replicas');
  const isAhead = parts.length > 0 && count('availableReplicas') > count('readyReplicas');
  const ready = object.kind === 'StatefulSet' ? 'status.readyReplicas' : 'readyReplicas';
  const isDecremented =
    numberAt(former, 'collisionCount') !== undefined &&
    count('collisionCount') < (numberAt(former, 'collisionCount') ?? 0);
  return [
    ...counts.flatMap((name) => validateNonNegative(`status.${name}`, numberAt(status, name))),
    ...parts
      .filter((name) => count(name) > all)
      .map((name) => invalidValue(`status.${name}`, count(name), 'cannot be greater than status.replicas')),
    ...(isAhead
      ? [invalidValue('status.availableReplicas', count('availableReplicas'), `cannot be greater than ${ready}`)]
      : []),
    ...(isDecremented && counts.includes('collisionCount')
      ? [invalidValue('status.collisionCount', count('collisionCount'), 'cannot be decremented')]
      : []),
  ];
}

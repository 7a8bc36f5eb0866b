import { matchesSelector } from '../../../api/selection/label-selector.js';
import {
  forbiddenField,
  invalidValue,
  notSupported,
  required,
  type FieldError,
} from '../../../api/protocol/field-error.js';
import {
  type ApiObject,
  type JsonObject,
  eachObject,
  isJsonObject,
  numberAt,
  objectAt,
  stringAt,
  without,
} from '../../objects/api-object.js';
import { checkDnsLabel, validateImmutable, validateNonNegative, validateOptional } from '../fields/field-checks.js';
import {
  encodeSelector,
  isEmptySelector,
  isReadableSelector,
  validateLabelSelector,
} from '../fields/label-selector-validation.js';
import { internalForm } from '../fields/internal-form.js';
import { inOrder } from '../fields/object-meta.js';
import { validatePodTemplate } from '../pods/pod-spec-validation.js';
import { validateIntOrPercent, validateNotMoreThanAll, isZero } from '../fields/int-or-percent.js';
import { validateReplicaStatus } from './workload-status-validation.js';
import { semanticEqual } from '../fields/semantic-equal.js';

/** Returns the errors of a Deployment, or of its update when `old` is given. */
export function validateDeployment(object: ApiObject, old?: ApiObject, subresource = ''): FieldError[] {
  if (old && subresource === 'status') return validateReplicaStatus(object, old);
  const spec = objectAt(object, 'spec');
  const deadline = numberAt(spec, 'progressDeadlineSeconds');
  const isShort = deadline !== undefined && deadline <= (numberAt(spec, 'minReadySeconds') ?? 0);
  return [
    ...nonNegative(spec, 'replicas'),
    ...selectorErrors(spec, 'deployment'),
    ...templateErrors(spec, 'ReplicaSet'),
    ...deploymentStrategyErrors(spec),
    ...nonNegative(spec, 'minReadySeconds', 'revisionHistoryLimit', 'progressDeadlineSeconds'),
    ...(isShort
      ? [invalidValue('spec.progressDeadlineSeconds', deadline, 'must be greater than minReadySeconds')]
      : []),
    ...immutableSelector(spec, old),
  ];
}

/** Returns the errors of a ReplicaSet, or of its update. */
export function validateReplicaSet(object: ApiObject, old?: ApiObject, subresource = ''): FieldError[] {
  if (old && subresource === 'status') return validateReplicaStatus(object, old);
  const spec = objectAt(object, 'spec');
  return [
    ...nonNegative(spec, 'replicas', 'minReadySeconds'),
    ...selectorErrors(spec, 'deployment'),
    ...templateErrors(spec, 'ReplicaSet'),
    ...immutableSelector(spec, old),
  ];
}

const STATEFUL_CHANGEABLE = [
  'replicas',
  'template',
  'updateStrategy',
  'minReadySeconds',
  'persistentVolumeClaimRetentionPolicy',
  'ordinals',
  'revisionHistoryLimit',
];
const STATEFUL_FROZEN =
  "updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', 'updateStrategy', 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden";

/** Returns the errors of a StatefulSet, or of its update. */
export function validateStatefulSet(object: ApiObject, old?: ApiObject, subresource = ''): FieldError[] {
  if (old && subresource === 'status') return validateReplicaStatus(object, old);
  const spec = objectAt(object, 'spec');
  const frozen = (of: JsonObject): JsonObject =>
    Object.fromEntries(Object.entries(of).filter(([field]) => !STATEFUL_CHANGEABLE.includes(field)));
  const isFrozenKept = !old || semanticEqual(frozen(spec), frozen(objectAt(old, 'spec')));
  return [
    ...statefulStrategyErrors(spec),
    ...retentionErrors(objectAt(spec, 'persistentVolumeClaimRetentionPolicy')),
    ...nonNegative(spec, 'replicas', 'minReadySeconds'),
    ...validateNonNegative('spec.ordinals.start', numberAt(objectAt(spec, 'ordinals'), 'start')),
    ...(old ? [] : validateOptional('spec.serviceName', stringAt(spec, 'serviceName'), checkDnsLabel)),
    ...selectorErrors(spec, 'statefulset'),
    ...statefulTemplateErrors(spec),
    ...(isFrozenKept ? [] : [forbiddenField('spec', STATEFUL_FROZEN)]),
  ];
}

/** Returns the errors of a DaemonSet, or of its update. */
export function validateDaemonSet(object: ApiObject, old?: ApiObject, subresource = ''): FieldError[] {
  if (old && subresource === 'status') return validateReplicaStatus(object, old);
  const spec = objectAt(object, 'spec');
  const template = objectAt(spec, 'template');
  const isEmpty = isJsonObject(spec.selector) && isEmptySelector(spec.selector);
  return [
    ...immutableSelector(spec, old),
    ...validateLabelSelector(spec.selector, 'spec.selector'),
    ...mismatch(spec.selector, template),
    ...(isEmpty
      ? [invalidValue('spec.selector', encodeSelector(spec.selector), 'empty selector is invalid for daemonset')]
      : []),
    ...validatePodTemplate(template, 'spec.template'),
    ...alwaysRestarted(template, 'DaemonSet'),
    ...nonNegative(spec, 'minReadySeconds'),
    ...daemonStrategyErrors(objectAt(spec, 'updateStrategy')),
    ...nonNegative(spec, 'revisionHistoryLimit'),
  ];
}

function nonNegative(spec: JsonObject, ...fields: readonly string[]): FieldError[] {
  return fields.flatMap((field) => validateNonNegative(`spec.${field}`, numberAt(spec, field)));
}

function selectorErrors({ selector }: JsonObject, kind: string): FieldError[] {
  if (!isJsonObject(selector)) return [required('spec.selector')];
  return [
    ...validateLabelSelector(selector, 'spec.selector'),
    ...(isEmptySelector(selector)
      ? [invalidValue('spec.selector', encodeSelector(selector), `empty selector is invalid for ${kind}`)]
      : []),
  ];
}

/** Without a selector nothing matches; empty and invalid selectors have already been reported. */
function mismatch(selector: unknown, template: JsonObject): FieldError[] {
  const { labels } = objectAt(template, 'metadata');
  if (!isReadableSelector(selector)) return [];
  const isMatch = isJsonObject(selector) && matchesSelector(selector, labels as Record<string, string> | undefined);
  if (isMatch) return [];
  return [
    invalidValue('spec.template.metadata.labels', inOrder(labels), '`selector` does not match template `labels`'),
  ];
}

/** The template is not checked if the selector is invalid. */
function templateErrors({ selector, template }: JsonObject, kind: 'ReplicaSet' | 'StatefulSet'): FieldError[] {
  const pod = isJsonObject(template) ? template : {};
  if (!isReadableSelector(selector)) {
    const isStateful = kind === 'StatefulSet';
    const detail = isStateful ? '' : 'invalid label selector';
    return [
      invalidValue('spec.selector', encodeSelector(selector), detail),
      ...(isStateful ? alwaysRestarted(pod, kind) : []),
    ];
  }
  return [
    ...(isJsonObject(selector) && isEmptySelector(selector) ? [] : mismatch(selector, pod)),
    ...validatePodTemplate(pod, 'spec.template'),
    ...alwaysRestarted(pod, kind),
  ];
}

function alwaysRestarted({ spec }: JsonObject, kind: string): FieldError[] {
  const policy = stringAt(spec, 'restartPolicy');
  const deadline = numberAt(spec, 'activeDeadlineSeconds');
  const path = 'spec.template.spec';
  return [
    ...(policy === 'Always' ? [] : [notSupported(`${path}.restartPolicy`, policy, ['Always'])]),
    ...(deadline === undefined
      ? []
      : [forbiddenField(`${path}.activeDeadlineSeconds`, `activeDeadlineSeconds in ${kind} is not Supported`)]),
  ];
}

/** The volumes of claim templates can be mounted by the containers; the metadata is validated twice. */
function statefulTemplateErrors(spec: JsonObject): FieldError[] {
  const template = objectAt(spec, 'template');
  const pod = objectAt(template, 'spec');
  const claims = eachObject(spec.volumeClaimTemplates).map((claim) => stringAt(claim.metadata, 'name'));
  const others = eachObject(pod.volumes).filter((volume) => !claims.includes(stringAt(volume, 'name')));
  const claimed = claims.map((name) => ({ name, persistentVolumeClaim: { claimName: name } }));
  // The controller overwrites the names.
  const rest = without(pod, 'subdomain', 'hostname');
  const completed = { ...template, spec: { ...rest, volumes: [...claimed, ...others] } };
  const errors = templateErrors({ ...spec, template: completed }, 'StatefulSet');
  if (!isReadableSelector(spec.selector)) return errors;
  const again = validatePodTemplate(template, 'spec.template').filter(
    ({ field }) => field === 'spec.template.labels' || field === 'spec.template.annotations',
  );
  return [...errors, ...again];
}

function deploymentStrategyErrors(spec: JsonObject): FieldError[] {
  const strategy = objectAt(spec, 'strategy');
  const rolling = strategy.rollingUpdate;
  const field = 'spec.strategy.rollingUpdate';
  if (strategy.type === 'Recreate') {
    const detail = "may not be specified when strategy `type` is 'Recreate'";
    return rolling === undefined ? [] : [forbiddenField(field, detail)];
  }
  if (strategy.type !== 'RollingUpdate') {
    const shown = internalForm('apps.DeploymentStrategy', strategy);
    return [notSupported('spec.strategy', shown, ['Recreate', 'RollingUpdate'])];
  }
  const { maxUnavailable, maxSurge } = objectAt(strategy, 'rollingUpdate');
  const areZero = isZero(maxUnavailable) && isZero(maxSurge);
  return [
    ...validateIntOrPercent(`${field}.maxUnavailable`, maxUnavailable),
    ...validateIntOrPercent(`${field}.maxSurge`, maxSurge),
    ...(areZero ? [invalidValue(`${field}.maxUnavailable`, maxUnavailable, 'may not be 0 when `maxSurge` is 0')] : []),
    ...validateNotMoreThanAll(`${field}.maxUnavailable`, maxUnavailable),
  ];
}

function statefulStrategyErrors(spec: JsonObject): FieldError[] {
  const policy = spec.podManagementPolicy;
  const strategy = objectAt(spec, 'updateStrategy');
  const rolling = objectAt(strategy, 'rollingUpdate');
  const isKnown = policy === 'OrderedReady' || policy === 'Parallel';
  const field = 'spec.updateStrategy';
  const errors = isKnown
    ? []
    : [invalidValue('spec.podManagementPolicy', policy, "must be 'OrderedReady' or 'Parallel'")];
  if (strategy.type === 'RollingUpdate')
    return [...errors, ...validateNonNegative(`${field}.rollingUpdate.partition`, numberAt(rolling, 'partition'))];
  if (strategy.type !== 'OnDelete') {
    const shown = internalForm('apps.StatefulSetUpdateStrategy', strategy);
    return [...errors, invalidValue(field, shown, "must be 'RollingUpdate' or 'OnDelete'")];
  }
  if (strategy.rollingUpdate === undefined) return errors;
  const shown = internalForm('apps.RollingUpdateStatefulSetStrategy', rolling);
  return [...errors, invalidValue(`${field}.rollingUpdate`, shown, "only allowed for updateStrategy 'RollingUpdate'")];
}

function retentionErrors(policy: JsonObject): FieldError[] {
  return ['whenDeleted', 'whenScaled'].flatMap((name) =>
    ['Retain', 'Delete'].includes(policy[name] as string)
      ? []
      : [notSupported(`spec.persistentVolumeClaimRetentionPolicy.${name}`, policy[name] ?? '', ['Retain', 'Delete'])],
  );
}

function daemonStrategyErrors(strategy: JsonObject): FieldError[] {
  const field = 'spec.updateStrategy';
  if (strategy.type === 'OnDelete') return [];
  if (strategy.type !== 'RollingUpdate') {
    return [notSupported(field, internalForm('apps.DaemonSetUpdateStrategy', strategy), ['RollingUpdate', 'OnDelete'])];
  }
  const { maxUnavailable, maxSurge } = objectAt(strategy, 'rollingUpdate');
  const [path, hasSurge] = [`${field}.rollingUpdate`, !isZero(maxSurge)];
  const hasUnavailable = !isZero(maxUnavailable);
  return [
    ...validateIntOrPercent(`${path}.maxUnavailable`, maxUnavailable),
    ...validateIntOrPercent(`${path}.maxSurge`, maxSurge),
    ...validateNotMoreThanAll(`${path}.maxUnavailable`, maxUnavailable),
    ...validateNotMoreThanAll(`${path}.maxSurge`, maxSurge),
    ...(hasUnavailable && hasSurge
      ? [invalidValue(`${path}.maxSurge`, maxSurge, 'may not be set when maxUnavailable is non-zero')]
      : []),
    ...(hasUnavailable || hasSurge ? [] : [required(`${path}.maxUnavailable`, 'cannot be 0 when maxSurge is 0')]),
  ];
}

function immutableSelector({ selector }: JsonObject, old: ApiObject | undefined): FieldError[] {
  return old ? validateImmutable('spec.selector', encodeSelector(selector), objectAt(old, 'spec').selector) : [];
}

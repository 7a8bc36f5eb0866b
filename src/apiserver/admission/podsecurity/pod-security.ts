import { ownMember } from '../../../base/own-member.js';
import { goQuoted } from '../../../base/go-quoted.js';
import { deepEqual } from '../../../base/deep-equal.js';
import { forbidden, invalid } from '../../errors/status-error.js';
import { objectAt, isJsonObject, type ApiObject, type JsonObject } from '../../objects/api-object.js';
import type { ObjectStore } from '../../storage/object-store.js';
import { namespaceOfRequest, type AdmissionAttributes } from '../../registry/admission.js';
import type { AdmissionPlugin } from '../admission-plugin.js';
import { containersOf, type CheckedPod, type VersionedCheck, type PodViolation } from './pod-check.js';
import { LEVELS, policyName, securityPolicy, type LevelVersion, type SecurityPolicy } from './security-policy.js';
import { BASELINE } from './baseline-checks.js';
import { RESTRICTED } from './restricted-checks.js';

const PREFIX = 'pod-security.kubernetes.io/';
/** Paths of pod templates by resource. */
const TEMPLATES: Readonly<Record<string, readonly string[]>> = {
  podtemplates: ['template'],
  'cronjobs.batch': ['spec', 'jobTemplate', 'spec', 'template'],
  ...Object.fromEntries(
    ['replicationcontrollers', 'replicasets.apps', 'deployments.apps', 'statefulsets.apps', 'daemonsets.apps']
      .concat('jobs.batch')
      .map((storage) => [storage, ['spec', 'template']]),
  ),
};
const CHECKED_SUBRESOURCES = new Set(['', 'ephemeralcontainers', 'resize']);

/** Enforces the Pod Security Standards that a namespace's labels require. */
export class PodSecurity implements AdmissionPlugin {
  readonly name = 'PodSecurity';

  constructor(private readonly store: ObjectStore) {}

  validate(request: AdmissionAttributes): void {
    const { operation, resource, subresource, object } = request;
    const { storage } = resource;
    const template = ownMember(TEMPLATES, storage);
    if (operation === 'DELETE') return;
    if (storage === 'namespaces' && subresource === '') this.assertNamespace(request);
    else if (storage === 'pods' && CHECKED_SUBRESOURCES.has(subresource)) this.assertPod(request);
    else if (template && subresource === '') this.assertTemplate(request, templateOf(object, template));
  }

  /** Validates changed labels; warns about existing pods that violate a stricter policy. */
  private assertNamespace({ object, old, resource, warnings }: AdmissionAttributes): void {
    const policy = securityPolicy(object.metadata.labels);
    const former = securityPolicy(old?.metadata.labels);
    const isKnown = old !== undefined && deepEqual(policy.errors, former.errors);
    if (policy.errors.length > 0 && !isKnown) throw invalid(resource, object.metadata.name, policy.errors);
    if (old && isStricter(policy.enforce, former.enforce))
      warnings?.push(...this.violationsIn(object.metadata.name, policy.enforce));
  }

  private assertPod(request: AdmissionAttributes): void {
    const { object, old, resource, annotations } = request;
    const policy = this.policyFor(request);
    const isPrivileged = [policy.enforce, policy.audit, policy.warn].every(({ level }) => level === 'privileged');
    if (isPrivileged && policy.errors.length === 0) {
      note(annotations, 'enforce-policy', 'privileged:latest');
      return;
    }
    if (old && !isSignificant(object, old)) return;
    const pod = checked(object);
    note(annotations, 'enforce-policy', policyName(policy.enforce));
    const violations = evaluatePod(policy.enforce, pod);
    audit(request, policy, pod);
    if (violations.length > 0) {
      const why = `violates PodSecurity ${goQuoted(policyName(policy.enforce))}: ${violationText(violations)}`;
      throw forbidden(resource, object.metadata.name, why);
    }
    warn(request, policy, pod);
  }

  /** Checks a pod template for warnings and audit; objects with templates are never rejected. */
  private assertTemplate(request: AdmissionAttributes, template: JsonObject | undefined): void {
    const policy = this.policyFor(request);
    const isPrivileged = [policy.audit, policy.warn].every(({ level }) => level === 'privileged');
    if (!template || (isPrivileged && policy.errors.length === 0)) return;
    const pod = checked(template);
    audit(request, policy, pod);
    warn(request, policy, pod);
  }

  private policyFor(request: AdmissionAttributes): SecurityPolicy {
    const namespace = this.store.get('namespaces', namespaceOfRequest(request))?.object;
    return securityPolicy(namespace?.metadata.labels);
  }

  private violationsIn(namespace: string, enforce: LevelVersion): string[] {
    const found = new Map<string, string[]>();
    for (const { object } of this.store.collection('pods').range(`${namespace}/`)) {
      const reasons = evaluatePod(enforce, checked(object)).map(({ reason }) => reason);
      const reason = reasons.join(', ');
      if (reasons.length > 0) found.set(reason, [...(found.get(reason) ?? []), object.metadata.name]);
    }
    if (found.size === 0) return [];
    const name = goQuoted(policyName(enforce));
    const lines = [...found].map(([reason, pods]) => `${podsText(pods.sort())}: ${reason}`);
    return [
      `existing pods in namespace ${goQuoted(namespace)} violate the new PodSecurity enforce level ${name}`,
      ...lines.sort(),
    ];
  }
}

function isStricter(next: LevelVersion, former: LevelVersion): boolean {
  if (next.level === 'privileged') return false;
  return next.version !== former.version || LEVELS.indexOf(next.level) > LEVELS.indexOf(former.level);
}

function podsText([first = '', ...others]: readonly string[]): string {
  if (others.length === 0) return first;
  return `${first} (and ${others.length} other pod${others.length === 1 ? '' : 's'})`;
}

function templateOf(object: ApiObject, path: readonly string[]): JsonObject | undefined {
  const template = path.reduce<unknown>((node, part) => (isJsonObject(node) ? node[part] : undefined), object);
  return isJsonObject(template) ? template : undefined;
}

function checked(pod: JsonObject): CheckedPod {
  const { annotations = {} } = objectAt(pod, 'metadata') as { annotations?: Record<string, string> };
  return { annotations, spec: objectAt(pod, 'spec') };
}

function audit({ annotations }: AdmissionAttributes, { audit: level, errors }: SecurityPolicy, pod: CheckedPod): void {
  const violations = evaluatePod(level, pod);
  if (errors.length > 0) note(annotations, 'error', 'Failed to parse policy');
  if (violations.length > 0) note(annotations, 'audit-violations', wouldViolate(level, violationText(violations)));
}

function warn({ warnings }: AdmissionAttributes, { warn: level }: SecurityPolicy, pod: CheckedPod): void {
  const violations = evaluatePod(level, pod);
  if (violations.length > 0) warnings?.push(wouldViolate(level, violationText(violations)));
}

function wouldViolate(level: LevelVersion, what: string): string {
  return `would violate PodSecurity ${goQuoted(policyName(level))}: ${what}`;
}

function note(annotations: Record<string, string> | undefined, name: string, value: string): void {
  if (annotations) annotations[`${PREFIX}${name}`] = value;
}

/** Returns whether an update changes containers or images; other changes of a pod are not relevant. */
function isSignificant(next: ApiObject, old: ApiObject): boolean {
  const images = ({ spec }: ApiObject): unknown =>
    containersOf(objectAt({ spec }, 'spec')).map(({ name, image }) => ({ name, image }));
  return !deepEqual(images(next), images(old));
}

/** Returns the violations of a level; checks added in later versions than the level's do not apply. */
function evaluatePod({ level, version }: LevelVersion, pod: CheckedPod): PodViolation[] {
  if (level === 'privileged') return [];
  const minor = version === 'latest' ? Infinity : Number(version.slice('v1.'.length));
  const applies = ({ versions }: VersionedCheck): boolean => versions.some(([since]) => since <= minor);
  const restricted = level === 'restricted' ? RESTRICTED.filter(applies) : [];
  const overridden = new Set(restricted.map(({ overrides }) => overrides));
  return [...BASELINE.filter(({ id }) => !overridden.has(id)), ...restricted].flatMap(({ versions }) => {
    const check = versions.findLast(([since]) => since <= minor)?.[1];
    return check?.(pod) ?? [];
  });
}

/** Joins violations into one line. */
function violationText(violations: readonly PodViolation[]): string {
  return violations.map(({ reason, detail }) => `${reason} (${detail})`).join(', ');
}

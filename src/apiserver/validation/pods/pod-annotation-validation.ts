import { goQuoted } from '../../../base/go-quoted.js';
import { forbiddenField, invalidValue, type FieldError } from '../../../api/protocol/field-error.js';
import { isJsonObject, objectAt, stringAt, type JsonObject } from '../../objects/api-object.js';
import { podContainers } from './containers/pod-containers.js';
import { relativePathErrors } from './volumes/relative-path-validation.js';

const MIRROR = 'kubernetes.io/config.mirror';
const DELETION_COST = 'controller.kubernetes.io/pod-deletion-cost';
const SECCOMP_POD = 'seccomp.security.alpha.kubernetes.io/pod';
const SECCOMP_CONTAINER = 'container.seccomp.security.alpha.kubernetes.io/';
const APP_ARMOR = 'container.apparmor.security.beta.kubernetes.io/';
const LOCAL = 'localhost/';
const INT32 = 2 ** 31;

type Annotations = Readonly<Record<string, string>>;

/** Returns the errors of pod-specific annotations: core's ValidatePodSpecificAnnotations. */
export function validatePodAnnotations(annotations: Annotations, spec: JsonObject, field: string): FieldError[] {
  const entries = Object.entries(annotations);
  const [mirror, cost] = [annotations[MIRROR], annotations[DELETION_COST]];
  const isCost =
    cost === undefined || (/^(0|-?[1-9]\d*)$/.test(cost) && Number(cost) >= -INT32 && Number(cost) < INT32);
  return [
    ...(mirror !== undefined && stringAt(spec, 'nodeName') === ''
      ? [invalidValue(`${field}[${MIRROR}]`, mirror, 'must set spec.nodeName if mirror pod annotation is set')]
      : []),
    ...(isCost ? [] : [invalidValue(`${field}[${DELETION_COST}]`, cost, 'must be a 32bit integer')]),
    ...entries
      .filter(([key]) => key === SECCOMP_POD || key.startsWith(SECCOMP_CONTAINER))
      .flatMap(([key, value]) => seccompErrors(`${field}.${key}`, value)),
    ...entries
      .filter(([key]) => key.startsWith(APP_ARMOR))
      .flatMap(([key, value]) => appArmorErrors(`${field}[${key}]`, key.slice(APP_ARMOR.length), value, spec)),
  ];
}

function seccompErrors(field: string, profile: string): FieldError[] {
  if (['runtime/default', 'docker/default', 'unconfined'].includes(profile)) return [];
  if (profile.startsWith(LOCAL)) return relativePathErrors(profile.slice(LOCAL.length), field);
  return [invalidValue(field, profile, 'must be a valid seccomp profile')];
}

function appArmorErrors(field: string, name: string, profile: string, spec: JsonObject): FieldError[] {
  const isThere = podContainers(spec, '').some(({ container }) => container.name === name);
  const isProfile = ['', 'runtime/default', 'unconfined'].includes(profile) || profile.startsWith(LOCAL);
  return [
    ...(isThere ? [] : [invalidValue(field, name, 'container not found')]),
    ...(isProfile ? [] : [invalidValue(field, profile, `invalid AppArmor profile name: ${goQuoted(profile)}`)]),
  ];
}

/** Returns the errors of annotations that can no longer be added or removed. */
export function validatePodAnnotationChange(next: Annotations, old: Annotations, field: string): FieldError[] {
  const isFixed = (key: string): boolean => key.startsWith(APP_ARMOR) || key === MIRROR;
  const what = (key: string): string => (key === MIRROR ? 'mirror pod annotation' : 'AppArmor annotations');
  return [
    ...Object.keys(old)
      .filter((key) => isFixed(key) && next[key] !== old[key])
      .map((key) => forbiddenField(`${field}[${key}]`, `may not remove or update ${what(key)}`)),
    ...Object.keys(next)
      .filter((key) => isFixed(key) && !(key in old))
      .map((key) => forbiddenField(`${field}[${key}]`, `may not add ${what(key)}`)),
  ];
}

/** Returns errors for profiles that differ between annotation and field. */
export function validateProfilesAlike(annotations: Annotations, spec: JsonObject, field: string): FieldError[] {
  const security = objectAt(spec, 'securityContext');
  const containers = podContainers(spec, field).map(({ container, field: path }) => ({
    own: objectAt(container, 'securityContext'),
    name: stringAt(container, 'name'),
    path: `${path}.securityContext`,
  }));
  const isWindows = objectAt(spec, 'os').name === 'windows';
  const runtime = ['runtime/default', 'docker/default'];
  return [
    ...unlike('seccomp', annotations[SECCOMP_POD], security.seccompProfile, `${field}.securityContext`, runtime),
    ...containers.flatMap(({ own, name, path }) =>
      unlike('seccomp', annotations[`${SECCOMP_CONTAINER}${name}`], own.seccompProfile, path, runtime),
    ),
    ...(isWindows ? [] : containers).flatMap(({ own, name, path }) => {
      const profile = own.appArmorProfile ?? security.appArmorProfile;
      return unlike('apparmor', annotations[`${APP_ARMOR}${name}`], profile, path, runtime.slice(0, 1));
    }),
  ];
}

function unlike(
  kind: 'seccomp' | 'apparmor',
  annotation: string | undefined,
  profile: unknown,
  path: string,
  runtime: readonly string[],
): FieldError[] {
  if (annotation === undefined || !isJsonObject(profile)) return [];
  const field = `${path}.${kind === 'seccomp' ? 'seccompProfile' : 'appArmorProfile'}`;
  const { type, localhostProfile } = profile;
  if (type === 'Localhost' && annotation.startsWith(LOCAL))
    return annotation.slice(LOCAL.length) === localhostProfile
      ? []
      : [forbiddenField(`${field}.localhostProfile`, `${kind} profile in annotation and field must match`)];
  const known: Readonly<Record<string, readonly string[]>> = {
    Unconfined: ['unconfined'],
    RuntimeDefault: runtime,
    Localhost: [],
  };
  return known[String(type)]?.includes(annotation) === false
    ? [forbiddenField(`${field}.type`, `${kind} type in annotation and field must match`)]
    : [];
}

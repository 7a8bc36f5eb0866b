import { goQuoted } from '../../../base/go-quoted.js';
import { isJsonObject, objectAt, stringAt, type JsonObject } from '../../objects/api-object.js';
import {
  containersOf,
  contextOf,
  contextsWith,
  named,
  namesOf,
  plural,
  quotedNames,
  settersOf,
  sorted,
  type PodCheck,
  type PodViolation,
} from './pod-check.js';

/* Checks of profiles: AppArmor, seccomp, SELinux. Words and order are those of k8s.io/pod-security-admission. */

const APP_ARMOR = 'container.apparmor.security.beta.kubernetes.io/';
const [SECCOMP_POD, SECCOMP_CONTAINER] = [
  'seccomp.security.alpha.kubernetes.io/pod',
  'container.seccomp.security.alpha.kubernetes.io/',
];
const ALLOWED = new Set(['RuntimeDefault', 'Localhost']);

export const checkAppArmor: PodCheck = ({ annotations, spec }) => {
  const isBad = ({ appArmorProfile }: JsonObject): boolean => isForbidden(appArmorProfile);
  const types = contextsWith(spec, 'appArmorProfile').map(({ type }) => String(type));
  const marks = Object.entries(annotations)
    .filter(([key, value]) => key.startsWith(APP_ARMOR) && !/^($|runtime\/default$|localhost\/)/.test(value))
    .map(([key, value]) => `${key}=${goQuoted(value)}`);
  const setters = [...settersOf(spec, isBad), ...(marks.length > 0 ? [plural('annotation', marks.length)] : [])];
  const values = [...sorted(types.filter((type) => !ALLOWED.has(type))), ...sorted(marks)];
  if (setters.length === 0) return undefined;
  return {
    reason: plural('forbidden AppArmor profile', values.length),
    detail: `${setters.join(' and ')} must not set AppArmor profile type to ${quotedNames(values)}`,
  };
};

export const checkSeccompAnnotations: PodCheck = ({ annotations, spec }) => {
  const keys = [SECCOMP_POD, ...containersOf(spec).map(({ name }) => `${SECCOMP_CONTAINER}${String(name)}`)];
  const bad = keys.filter(
    (key) => !/^(runtime\/default$|docker\/default$|localhost\/)/.test(annotations[key] ?? 'localhost/'),
  );
  const marks = sorted(bad.map((key) => `${key}=${goQuoted(annotations[key] ?? '')}`));
  if (marks.length === 0) return undefined;
  return { reason: 'seccompProfile', detail: `forbidden ${plural('annotation', marks.length)} ${marks.join(', ')}` };
};

export const checkSeccomp: PodCheck = ({ spec }) => {
  const setters = settersOf(spec, ({ seccompProfile }) => isForbidden(seccompProfile));
  const types = contextsWith(spec, 'seccompProfile').map(({ type }) => String(type));
  if (setters.length === 0) return undefined;
  const values = quotedNames(sorted(types.filter((type) => !ALLOWED.has(type))));
  const detail = `${setters.join(' and ')} must not set securityContext.seccompProfile.type to ${values}`;
  return { reason: 'seccompProfile', detail };
};

/** Requires a seccomp profile, set by the pod or by each container. */
export const checkSeccompSet: PodCheck = (pod) => {
  const { spec } = pod;
  const bad = checkSeccomp(pod);
  if (bad || isJsonObject(contextOf(spec).seccompProfile)) return bad;
  const unset = containersOf(spec).filter((container) => !isJsonObject(contextOf(container).seccompProfile));
  if (unset.length === 0) return undefined;
  const detail = `pod or ${named('container', namesOf(unset))} must set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost"`;
  return { reason: 'seccompProfile', detail };
};

function isForbidden(profile: unknown): boolean {
  return isJsonObject(profile) && !ALLOWED.has(String(profile.type));
}

/** @param types the allowed types besides the empty one */
export function checkSeLinux(...types: readonly string[]): PodCheck {
  const allowed = new Set(['', ...types]);
  const isBad = (options: JsonObject): boolean =>
    !allowed.has(stringAt(options, 'type')) || stringAt(options, 'user') !== '' || stringAt(options, 'role') !== '';
  return ({ spec }): PodViolation | undefined => {
    const setters = settersOf(spec, (context) => isBad(objectAt(context, 'seLinuxOptions')));
    const options = contextsWith(spec, 'seLinuxOptions');
    const bad = sorted(options.map((each) => stringAt(each, 'type')).filter((type) => !allowed.has(type)));
    const problems = [
      ...(bad.length > 0 ? [named('type', bad)] : []),
      ...['user', 'role']
        .filter((field) => options.some((each) => stringAt(each, field) !== ''))
        .map((field) => `${field} may not be set`),
    ];
    if (setters.length === 0) return undefined;
    const detail = `${setters.join(' and ')} set forbidden securityContext.seLinuxOptions: ${problems.join('; ')}`;
    return { reason: 'seLinuxOptions', detail };
  };
}

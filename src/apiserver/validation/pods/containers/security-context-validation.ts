import {
  duplicate,
  forbiddenField,
  invalidValue,
  notSupported,
  required,
  type FieldError,
} from '../../../../api/protocol/field-error.js';
import {
  arrayAt,
  eachObject,
  isJsonObject,
  numberAt,
  objectAt,
  stringAt,
  type JsonObject,
} from '../../../objects/api-object.js';
import { validateRange } from '../../fields/field-checks.js';
import { internalForm } from '../../fields/internal-form.js';
import { podContainers } from './pod-containers.js';
import { validateAppArmorProfile, validateSeccompProfile } from '../profile-validation.js';
import { validateWindowsOptions } from '../windows-validation.js';

const MAX_ID = 2147483647;
const MAX_SYSCTL = 253;
const SYSCTL = '([a-z0-9]([-_a-z0-9]*[a-z0-9])?[\\./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?';
const IS_SYSCTL = new RegExp(`^${SYSCTL}$`);
const IPC_SYSCTLS = /^(kernel\.(sem|shm(all|max|mni|_rmid_forced)?|msg(max|mnb|mni)?)$|fs\.mqueue\.)/;

/** Returns the errors of a pod's security context: core's validatePodSpecSecurityContext. */
export function validatePodSecurity(spec: JsonObject, field: string): FieldError[] {
  const context = objectAt(spec, 'securityContext');
  const isShared = spec.shareProcessNamespace === true && spec.hostPID === true;
  const detail = 'ShareProcessNamespace and HostPID cannot both be enabled';
  return [
    ...['fsGroup', 'runAsUser', 'runAsGroup'].flatMap((name) =>
      validateRange(`${field}.${name}`, numberAt(context, name), 0, MAX_ID),
    ),
    ...arrayAt(context, 'supplementalGroups').flatMap((group, index) =>
      validateRange(`${field}.supplementalGroups[${index}]`, Number(group), 0, MAX_ID),
    ),
    ...(isShared ? [invalidValue(`${field}.shareProcessNamespace`, true, detail)] : []),
    ...sysctlErrors(spec, `${field}.sysctls`),
    ...optionErrors(`${field}.fsGroupChangePolicy`, context.fsGroupChangePolicy, ['Always', 'OnRootMismatch']),
    ...validateSeccompProfile(context, field),
    ...validateWindowsOptions(context, `${field}.windowsOptions`),
    ...validateAppArmorProfile(context, field),
    ...optionErrors(`${field}.supplementalGroupsPolicy`, context.supplementalGroupsPolicy, ['Merge', 'Strict']),
    ...optionErrors(`${field}.seLinuxChangePolicy`, context.seLinuxChangePolicy, ['Recursive']),
  ];
}

/** Checks an optional string; if present, even if empty, it must be one of the supported values. */
function optionErrors(field: string, value: unknown, supported: readonly string[]): FieldError[] {
  return value === undefined || supported.includes(value as string) ? [] : [notSupported(field, value, supported)];
}

function sysctlErrors(spec: JsonObject, field: string): FieldError[] {
  const seen = new Set<string>();
  return eachObject(objectAt(spec, 'securityContext').sysctls).flatMap((sysctl, index) => {
    const [path, name] = [`${field}[${index}].name`, stringAt(sysctl, 'name')];
    const errors = [...sysctlNameErrors(path, name, seen), ...hostSysctlErrors(path, name, spec)];
    seen.add(name);
    return errors;
  });
}

function sysctlNameErrors(field: string, name: string, seen: ReadonlySet<string>): FieldError[] {
  if (name === '') return [required(field)];
  const detail = `must have at most ${MAX_SYSCTL} characters and match regex ^${SYSCTL}$`;
  if (name.length > MAX_SYSCTL || !IS_SYSCTL.test(name)) return [invalidValue(field, name, detail)];
  return seen.has(name) ? [duplicate(field, name)] : [];
}

function hostSysctlErrors(field: string, name: string, spec: JsonObject): FieldError[] {
  const dotted = name.replaceAll('/', '.');
  if (spec.hostNetwork === true && dotted.startsWith('net.'))
    return [invalidValue(field, name, "may not be specified when 'hostNetwork' is true")];
  if (spec.hostIPC === true && IPC_SYSCTLS.test(dotted))
    return [invalidValue(field, name, "may not be specified when 'hostIPC' is true")];
  return [];
}

/** Returns the errors of a container's security context: core's ValidateSecurityContext. */
export function validateContainerSecurity(container: JsonObject, field: string, hasHostUsers: boolean): FieldError[] {
  const context = container.securityContext;
  if (!isJsonObject(context)) return [];
  return [
    ...['runAsUser', 'runAsGroup'].flatMap((name) =>
      validateRange(`${field}.${name}`, numberAt(context, name), 0, MAX_ID),
    ),
    ...optionErrors(`${field}.procMount`, context.procMount, ['Default', 'Unmasked']),
    ...(hasHostUsers && context.procMount === 'Unmasked'
      ? [invalidValue(`${field}.procMount`, 'Unmasked', '`hostUsers` must be false to use `Unmasked`')]
      : []),
    ...validateSeccompProfile(context, field),
    ...escalationErrors(context, field),
    ...validateWindowsOptions(context, `${field}.windowsOptions`),
    ...validateAppArmorProfile(context, field),
  ];
}

function escalationErrors(context: JsonObject, field: string): FieldError[] {
  if (context.allowPrivilegeEscalation !== false) return [];
  const shown = internalForm('core.SecurityContext', context);
  const refusal = (what: string): FieldError =>
    invalidValue(field, shown, `cannot set \`allowPrivilegeEscalation\` to false and ${what}`);
  return [
    ...(context.privileged === true ? [refusal('`privileged` to true')] : []),
    ...arrayAt(objectAt(context, 'capabilities'), 'add')
      .filter((name) => name === 'CAP_SYS_ADMIN')
      .map(() => refusal('`capabilities.Add` CAP_SYS_ADMIN')),
  ];
}

/** Returns the errors of a pod with a user namespace: core's validateHostUsers. */
export function validateHostUsers(spec: JsonObject, field: string): FieldError[] {
  if (spec.hostUsers !== false) return [];
  const detail = 'when `hostUsers` is false';
  const wanted = { hostNetwork: 'hostNetwork', hostPID: 'HostPID', hostIPC: 'HostIPC' };
  return [
    ...Object.entries(wanted).flatMap(([name, shown]) =>
      spec[name] === true ? [forbiddenField(`${field}.${shown}`, detail)] : [],
    ),
    ...podContainers(spec, field).flatMap(({ container, field: own }) =>
      arrayAt(container, 'volumeDevices').length > 0 ? [forbiddenField(`${own}.volumeDevices`, detail)] : [],
    ),
  ];
}

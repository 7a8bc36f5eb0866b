import {
  forbiddenField,
  invalidValue,
  notSupported,
  required,
  type FieldError,
} from '../../../api/protocol/field-error.js';
import { isJsonObject, objectAt, stringAt, valueAt, type JsonObject } from '../../objects/api-object.js';
import { checkDnsSubdomain } from '../fields/field-checks.js';
import { podContainers } from './containers/pod-containers.js';

const MAX_CREDENTIAL_KIB = 64;
const [MAX_DOMAIN, MAX_USER] = [256, 104];
const CONTROL = /[\u0000-\u001f\u007f]/;
const NET_BIOS = /^[^\\/:*?"<>|.][^\\/:*?"<>|]{0,14}$/;
const DNS_LABEL = '[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?';
const DNS = new RegExp(`^${DNS_LABEL}(?:\\.${DNS_LABEL})*$`);
const LINUX_ONLY = 'cannot be set for a windows pod';
/** In the order in which the server validates them. */
const OF_LINUX_POD = [
  ...['securityContext.appArmorProfile', 'securityContext.seLinuxOptions', 'hostUsers', 'hostPID', 'hostIPC'],
  ...['securityContext.seccompProfile', 'securityContext.fsGroup', 'securityContext.fsGroupChangePolicy'],
  ...['securityContext.sysctls', 'shareProcessNamespace', 'securityContext.runAsUser', 'securityContext.runAsGroup'],
  ...['securityContext.supplementalGroups', 'securityContext.supplementalGroupsPolicy'],
  'securityContext.seLinuxChangePolicy',
];
const OF_LINUX_CONTAINER = [
  ...['appArmorProfile', 'seLinuxOptions', 'seccompProfile', 'capabilities', 'readOnlyRootFilesystem', 'privileged'],
  ...['allowPrivilegeEscalation', 'procMount', 'runAsUser', 'runAsGroup'],
].map((name) => `securityContext.${name}`);

/** Returns the errors of Windows options: core's validateWindowsSecurityContextOptions. */
export function validateWindowsOptions({ windowsOptions: options }: JsonObject, field: string): FieldError[] {
  if (!isJsonObject(options)) return [];
  const { gmsaCredentialSpecName: name, gmsaCredentialSpec: spec, runAsUserName: user } = options;
  return [
    ...(typeof name === 'string' ? checkDnsSubdomain(`${field}.gmsaCredentialSpecName`, name) : []),
    ...(typeof spec === 'string' ? credentialErrors(`${field}.gmsaCredentialSpec`, spec) : []),
    ...(typeof user === 'string'
      ? userProblems(user).map((detail) => invalidValue(`${field}.runAsUserName`, user, `runAsUserName${detail}`))
      : []),
  ];
}

function credentialErrors(field: string, spec: string): FieldError[] {
  if (spec === '') return [invalidValue(field, spec, 'gmsaCredentialSpec cannot be an empty string')];
  const detail = `gmsaCredentialSpec size must be under ${MAX_CREDENTIAL_KIB} KiB`;
  return Buffer.byteLength(spec) > MAX_CREDENTIAL_KIB * 1024 ? [invalidValue(field, spec, detail)] : [];
}

function userProblems(name: string): string[] {
  if (name === '') return [' cannot be an empty string'];
  if (CONTROL.test(name)) return [' cannot contain control characters'];
  const parts = name.split('\\');
  if (parts.length > 2) return [' cannot contain more than one backslash'];
  const [user = '', domain] = parts.toReversed();
  return [...(domain === undefined ? [] : domainProblems(domain)), ...ownNameProblems(user)];
}

function domainProblems(domain: string): string[] {
  return [
    ...(domain.length >= MAX_DOMAIN ? [`'s Domain length must be under ${MAX_DOMAIN} characters`] : []),
    ...(NET_BIOS.test(domain) || DNS.test(domain) ? [] : ["'s Domain doesn't match the NetBios nor the DNS format"]),
  ];
}

function ownNameProblems(user: string): string[] {
  const characters = `'s User cannot contain the following characters: "/\\:;|=,+*?<>@[]`;
  return [
    ...(user === '' ? ["'s User cannot be empty"] : []),
    ...(user.length > MAX_USER ? [`'s User length must not be longer than ${MAX_USER} characters`] : []),
    ...(/^[. ]+$/.test(user) ? ["'s User cannot contain only periods or spaces"] : []),
    ...(/["/\\:;|=,+*?<>@[\]]/.test(user) ? [characters] : []),
  ];
}

const hostProcessOf = (owner: JsonObject): unknown =>
  objectAt(objectAt(owner, 'securityContext'), 'windowsOptions').hostProcess;

/** Returns the errors of host process containers: either all containers are, or none. */
export function validateHostProcess(spec: JsonObject, field: string): FieldError[] {
  const own = hostProcessOf(spec);
  const containers = podContainers(spec, field);
  const count = containers.filter(({ container }) => (hostProcessOf(container) ?? own) === true).length;
  const differing = containers.flatMap(({ container, field: place }) => {
    const value = hostProcessOf(container);
    if (own === undefined || value === undefined || own === value) return [];
    const detail = `pod hostProcess value must be identical if both are specified, was ${own === true}`;
    return [invalidValue(`${place}.securityContext.windowsOptions.hostProcess`, value, detail)];
  });
  if (count === 0) return differing;
  const all = 'If pod contains any hostProcess containers then all containers must be HostProcess containers';
  const network = 'hostNetwork must be true if pod contains any hostProcess containers';
  return [
    ...differing,
    ...(count === containers.length ? [] : [invalidValue(field, '', all)]),
    ...(spec.hostNetwork === true ? [] : [invalidValue(`${field}.hostNetwork`, false, network)]),
  ];
}

/** Returns errors for fields that the pod's operating system does not support. */
export function validateOs(spec: JsonObject, field: string): FieldError[] {
  if (!isJsonObject(spec.os)) return [];
  const name = stringAt(spec.os, 'name');
  if (name === '') return [required(`${field}.os.name`)];
  if (name === 'linux') return linuxErrors(spec, field);
  return name === 'windows' ? windowsErrors(spec, field) : [notSupported(`${field}.os`, name, ['linux', 'windows'])];
}

function linuxErrors(spec: JsonObject, field: string): FieldError[] {
  const owners = [
    { owner: spec, path: field },
    ...podContainers(spec, field).map(({ container, field: path }) => ({ owner: container, path })),
  ];
  return owners.flatMap(({ owner, path }) =>
    isJsonObject(objectAt(owner, 'securityContext').windowsOptions)
      ? [forbiddenField(`${path}.securityContext.windowsOptions`, 'windows options cannot be set for a linux pod')]
      : [],
  );
}

function windowsErrors(spec: JsonObject, field: string): FieldError[] {
  const refuse = (owner: JsonObject, path: string, names: readonly string[]): FieldError[] =>
    names
      .filter((name) => isGiven(name, valueAt(owner, name.split('.'))))
      .map((name) => forbiddenField(`${path}.${name}`, LINUX_ONLY));
  return [
    ...refuse(spec, field, OF_LINUX_POD),
    ...podContainers(spec, field).flatMap(({ container, field: own }) => refuse(container, own, OF_LINUX_CONTAINER)),
  ];
}

/** Two boolean fields are not pointers in Go, so false counts as unset. */
function isGiven(name: string, value: unknown): boolean {
  if (name === 'hostPID' || name === 'hostIPC') return value === true;
  return value !== undefined && !(Array.isArray(value) && value.length === 0);
}

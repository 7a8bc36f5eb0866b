import {
  arrayAt,
  eachObject,
  isJsonObject,
  numberAt,
  objectAt,
  stringAt,
  type JsonObject,
} from '../../objects/api-object.js';
import {
  containersOf,
  contextOf,
  hasOwnUsers,
  named,
  namesOf,
  plural,
  quotedNames,
  settersOf,
  sorted,
  type PodCheck,
  type VersionedCheck,
} from './pod-check.js';
import { checkAppArmor, checkSeccomp, checkSeccompAnnotations, checkSeLinux } from './profile-checks.js';

const CAPABILITIES = new Set(
  'AUDIT_WRITE CHOWN DAC_OVERRIDE FOWNER FSETID KILL MKNOD NET_BIND_SERVICE SETFCAP SETGID SETPCAP SETUID SYS_CHROOT'.split(
    ' ',
  ),
);

const checkCapabilities: PodCheck = ({ spec }) => {
  const isBad = (name: unknown): boolean => !CAPABILITIES.has(String(name));
  const bad = containersOf(spec).filter((container) => capabilitiesOf(container, 'add').some(isBad));
  if (bad.length === 0) return undefined;
  const added = sorted(bad.flatMap((container) => capabilitiesOf(container, 'add').filter(isBad)));
  const detail = `${named('container', namesOf(bad))} must not include ${quotedNames(added)} in securityContext.capabilities.add`;
  return { reason: 'non-default capabilities', detail };
};

export function capabilitiesOf(container: JsonObject, list: 'add' | 'drop'): string[] {
  return arrayAt(objectAt(contextOf(container), 'capabilities'), list) as string[];
}

const checkHostNamespaces: PodCheck = ({ spec }) => {
  const used = ['hostNetwork', 'hostPID', 'hostIPC'].filter((field) => spec[field] === true);
  return used.length === 0
    ? undefined
    : { reason: 'host namespaces', detail: used.map((field) => `${field}=true`).join(', ') };
};

const checkHostPaths: PodCheck = ({ spec }) => {
  const volumes = eachObject(spec.volumes).filter(({ hostPath }) => isJsonObject(hostPath));
  return volumes.length === 0 ? undefined : { reason: 'hostPath volumes', detail: named('volume', namesOf(volumes)) };
};

const checkHostPorts: PodCheck = ({ spec }) => {
  const portsOf = (container: JsonObject): string[] =>
    eachObject(container.ports)
      .map((port) => numberAt(port, 'hostPort') ?? 0)
      .filter((port) => port !== 0)
      .map(String);
  const bad = containersOf(spec).filter((container) => portsOf(container).length > 0);
  const ports = sorted(bad.flatMap(portsOf));
  const detail = `${named('container', namesOf(bad))} ${uses(bad)} ${plural('hostPort', ports.length)} ${ports.join(', ')}`;
  return bad.length === 0 ? undefined : { reason: 'hostPort', detail };
};

const checkHandlerHosts: PodCheck = ({ spec }) => {
  const handlers = (container: JsonObject): unknown[] => {
    const { postStart, preStop } = objectAt(container, 'lifecycle');
    return [container.livenessProbe, container.readinessProbe, container.startupProbe, postStart, preStop];
  };
  const hostsOf = (container: JsonObject): string[] =>
    handlers(container)
      .flatMap((handler) =>
        ['httpGet', 'tcpSocket'].map((kind) => stringAt(objectAt({ handler }, 'handler')[kind], 'host')),
      )
      .filter((host) => host !== '');
  const bad = containersOf(spec).filter((container) => hostsOf(container).length > 0);
  const hosts = sorted(bad.flatMap(hostsOf));
  const what = `${plural('probe or lifecycle host', hosts.length)} ${quotedNames(hosts)}`;
  const detail = `${named('container', sorted(namesOf(bad)))} ${uses(bad)} ${what}`;
  return bad.length === 0 ? undefined : { reason: 'probe or lifecycle host', detail };
};

function uses(users: readonly JsonObject[]): string {
  return users.length === 1 ? 'uses' : 'use';
}

const checkPrivileged: PodCheck = ({ spec }) => {
  const bad = containersOf(spec).filter((container) => contextOf(container).privileged === true);
  const detail = `${named('container', namesOf(bad))} must not set securityContext.privileged=true`;
  return bad.length === 0 ? undefined : { reason: 'privileged', detail };
};

export const checkProcMount: PodCheck = ({ spec }) => {
  const bad = containersOf(spec).filter(
    (container) => !['', 'Default'].includes(stringAt(contextOf(container), 'procMount')),
  );
  const types = sorted(bad.map((container) => stringAt(contextOf(container), 'procMount')));
  const detail = `${named('container', namesOf(bad))} must not set securityContext.procMount to ${quotedNames(types)}`;
  return bad.length === 0 ? undefined : { reason: 'procMount', detail };
};

const checkWindowsHostProcess: PodCheck = ({ spec }) => {
  const setters = settersOf(spec, (context) => objectAt(context, 'windowsOptions').hostProcess === true);
  const detail = `${setters.join(' and ')} must not set securityContext.windowsOptions.hostProcess=true`;
  return setters.length === 0 ? undefined : { reason: 'hostProcess', detail };
};

const SYSCTLS: readonly (readonly [since: number, names: string])[] = [
  [
    0,
    'kernel.shm_rmid_forced net.ipv4.ip_local_port_range net.ipv4.tcp_syncookies net.ipv4.ping_group_range net.ipv4.ip_unprivileged_port_start',
  ],
  [27, 'net.ipv4.ip_local_reserved_ports'],
  [
    29,
    'net.ipv4.tcp_keepalive_time net.ipv4.tcp_fin_timeout net.ipv4.tcp_keepalive_intvl net.ipv4.tcp_keepalive_probes',
  ],
  [32, 'net.ipv4.tcp_rmem net.ipv4.tcp_wmem'],
];

function checkSysctls(version: number): PodCheck {
  const allowed = new Set(SYSCTLS.filter(([since]) => since <= version).flatMap(([, names]) => names.split(' ')));
  return ({ spec }) => {
    const bad = namesOf(eachObject(contextOf(spec).sysctls)).filter((name) => !allowed.has(name));
    return bad.length === 0 ? undefined : { reason: 'forbidden sysctls', detail: bad.join(', ') };
  };
}

const SELINUX = ['container_t', 'container_init_t', 'container_kvm_t'];

/** The baseline checks of the Pod Security Standards, ordered by name. */
export const BASELINE: readonly VersionedCheck[] = [
  { id: 'appArmorProfile', versions: [[0, checkAppArmor]] },
  { id: 'capabilities_baseline', versions: [[0, checkCapabilities]] },
  { id: 'hostNamespaces', versions: [[0, checkHostNamespaces]] },
  { id: 'hostPathVolumes', versions: [[0, checkHostPaths]] },
  { id: 'hostPorts', versions: [[0, checkHostPorts]] },
  { id: 'hostProbesAndHostLifecycle', versions: [[34, checkHandlerHosts]] },
  { id: 'privileged', versions: [[0, checkPrivileged]] },
  {
    id: 'procMount',
    versions: [
      [0, checkProcMount],
      [35, (pod) => (hasOwnUsers(pod.spec) ? undefined : checkProcMount(pod))],
    ],
  },
  {
    id: 'seLinuxOptions',
    versions: [
      [0, checkSeLinux(...SELINUX)],
      [31, checkSeLinux(...SELINUX, 'container_engine_t')],
    ],
  },
  {
    id: 'seccompProfile_baseline',
    versions: [
      [0, checkSeccompAnnotations],
      [19, checkSeccomp],
    ],
  },
  { id: 'sysctls', versions: SYSCTLS.map(([since]) => [since, checkSysctls(since)] as const) },
  { id: 'windowsHostProcess', versions: [[0, checkWindowsHostProcess]] },
];

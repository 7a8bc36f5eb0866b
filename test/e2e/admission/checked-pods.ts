const plain = { containers: [{ name: 'c', image: 'i' }] };
const context = (securityContext: object): object => ({ containers: [{ name: 'c', image: 'i', securityContext }] });
const podContext = (securityContext: object): object => ({ ...plain, securityContext });
const hardened = {
  allowPrivilegeEscalation: false,
  capabilities: { drop: ['ALL'] },
  runAsNonRoot: true,
  seccompProfile: { type: 'RuntimeDefault' },
};
const volumes = (...sources: object[]): object => ({
  ...plain,
  volumes: sources.map((source, index) => ({ name: `v${index}`, ...source })),
});
const three = (securityContext: object): object => ({
  initContainers: [{ name: 'i1', image: 'i', securityContext }],
  containers: ['c1', 'c2'].map((name) => ({ name, image: 'i', securityContext })),
});
const probe = (handler: object): object => ({ name: 'c', image: 'i', livenessProbe: handler, readinessProbe: handler });

/** Specs of pods with and without fields that the Pod Security Standards restrict. */
export const CHECKED_PODS: Readonly<Record<string, object>> = {
  plain,
  hardened: context(hardened),
  'hardened as a whole': {
    securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
    containers: [
      { name: 'c', image: 'i', securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } } },
    ],
  },
  'hardened in part': {
    containers: [
      { name: 'a', image: 'i', securityContext: hardened },
      { name: 'b', image: 'i' },
    ],
  },
  'all host namespaces': { ...plain, hostNetwork: true, hostPID: true, hostIPC: true },
  'one host namespace': { ...plain, hostPID: true },
  'host path': volumes({ hostPath: { path: '/a' } }),
  'host paths': volumes({ hostPath: { path: '/a' } }, { hostPath: { path: '/b' } }),
  'volumes of many kinds': volumes(
    { nfs: { server: 's', path: '/p' } },
    { iscsi: { targetPortal: '1.2.3.4', iqn: 'iqn.2000-01.com.example:storage', lun: 0 } },
    { emptyDir: {} },
    { secret: { secretName: 's' } },
    { configMap: { name: 'c' } },
    { downwardAPI: {} },
    { persistentVolumeClaim: { claimName: 'c' } },
    { fc: { targetWWNs: ['w'], lun: 0 } },
  ),
  'volume without a source': volumes({}),
  'host port': { containers: [{ name: 'c', image: 'i', ports: [{ containerPort: 80, hostPort: 8080 }] }] },
  'host ports': {
    containers: [
      { name: 'a', image: 'i', ports: [{ containerPort: 80, hostPort: 9000 }] },
      { name: 'b', image: 'i', ports: [{ containerPort: 81, hostPort: 8081 }, { containerPort: 82 }] },
    ],
  },
  'host of a probe': { containers: [probe({ httpGet: { port: 80, host: 'a.example.com' } })] },
  'hosts of probes': {
    containers: [
      probe({ tcpSocket: { port: 80, host: '10.0.0.1' } }),
      { ...probe({ httpGet: { port: 1, host: 'b' } }), name: 'd' },
    ],
  },
  'host of a lifecycle': {
    containers: [{ name: 'c', image: 'i', lifecycle: { preStop: { httpGet: { port: 80, host: 'a' } } } }],
  },
  'default capabilities': context({ capabilities: { add: ['CHOWN', 'KILL'] } }),
  'further capabilities': context({ capabilities: { add: ['SYS_ADMIN', 'NET_RAW', 'CHOWN'], drop: ['ALL'] } }),
  'capability to bind': context({ ...hardened, capabilities: { drop: ['ALL'], add: ['NET_BIND_SERVICE'] } }),
  'capabilities of three': three({ capabilities: { add: ['SYS_TIME'], drop: ['KILL'] } }),
  'unmasked proc': { ...context({ procMount: 'Unmasked' }), hostUsers: false },
  'default proc': context({ procMount: 'Default' }),
  'own users': { ...plain, hostUsers: false },
  'own users as root': { ...podContext({ runAsUser: 0, runAsNonRoot: false }), hostUsers: false },
  'SELinux type': context({ seLinuxOptions: { type: 'spc_t' } }),
  'SELinux types': {
    ...three({ seLinuxOptions: { type: 'b_t' } }),
    securityContext: { seLinuxOptions: { type: 'a_t' } },
  },
  'SELinux type allowed': context({ seLinuxOptions: { type: 'container_kvm_t', level: 's0' } }),
  'SELinux type allowed later': podContext({ seLinuxOptions: { type: 'container_engine_t' } }),
  'SELinux user and role': podContext({ seLinuxOptions: { user: 'u', role: 'r', type: 'x' } }),
  'seccomp unconfined': podContext({ seccompProfile: { type: 'Unconfined' } }),
  'seccomp unconfined three': { ...three({ seccompProfile: { type: 'Unconfined' } }) },
  'seccomp of the pod and unconfined': {
    ...context({ seccompProfile: { type: 'Unconfined' } }),
    securityContext: { seccompProfile: { type: 'RuntimeDefault' } },
  },
  'seccomp of a file': podContext({ seccompProfile: { type: 'Localhost', localhostProfile: 'p.json' } }),
  'AppArmor unconfined': podContext({ appArmorProfile: { type: 'Unconfined' } }),
  'AppArmor unconfined three': three({ appArmorProfile: { type: 'Unconfined' } }),
  'AppArmor by default': context({ appArmorProfile: { type: 'RuntimeDefault' } }),
  'sysctls that were always safe': podContext({ sysctls: [{ name: 'net.ipv4.tcp_syncookies', value: '1' }] }),
  'sysctls that became safe later': podContext({
    sysctls: ['net.ipv4.ip_local_reserved_ports', 'net.ipv4.tcp_fin_timeout', 'net.ipv4.tcp_rmem'].map((name) => ({
      name,
      value: '1',
    })),
  }),
  'unsafe sysctls': podContext({ sysctls: ['kernel.sem', 'net.core.somaxconn'].map((name) => ({ name, value: '1' })) }),
  'as root': podContext({ runAsUser: 0 }),
  'as root in three containers': three({ runAsUser: 0 }),
  'non-root set by the pod and unset by a container': {
    ...context({ runAsNonRoot: false }),
    securityContext: { runAsNonRoot: true },
  },
  'non-root denied': podContext({ runAsNonRoot: false }),
  'non-root of the pod': podContext({ runAsNonRoot: true, runAsUser: 1000 }),
  'escalation allowed': context({ ...hardened, allowPrivilegeEscalation: true }),
  windows: { ...plain, os: { name: 'windows' } },
};

/** Pods that a server rejects unless it allows privileged containers, as the embedded one always does. */
export const PRIVILEGED_PODS: Readonly<Record<string, object>> = {
  privileged: context({ ...hardened, allowPrivilegeEscalation: true, privileged: true }),
  'privileged in three containers': three({ ...hardened, allowPrivilegeEscalation: true, privileged: true }),
  'host process': {
    ...podContext({ windowsOptions: { hostProcess: true, runAsUserName: 'u' }, runAsNonRoot: true }),
    os: { name: 'windows' },
    hostNetwork: true,
  },
};

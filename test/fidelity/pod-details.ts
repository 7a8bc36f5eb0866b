import type { Chooser } from './chooser.js';

import { amounts, containerPart } from './container-details.js';
import { affinity, spread } from './scheduling-details.js';
import { profile, windows } from './security-profiles.js';
import { volumes } from './volume-details.js';

type Part = (choose: Chooser) => object;

const podSecurity: Part = (choose) => ({
  securityContext: choose.pick<object>([
    { runAsUser: choose.pick([0, -1]), runAsGroup: choose.pick([1, 2147483648]), runAsNonRoot: true },
    { fsGroup: choose.pick([1, -1]), fsGroupChangePolicy: choose.pick(['Always', 'OnRootMismatch', 'Odd', '']) },
    { supplementalGroups: choose.pick([[1], [1, -1], []]), supplementalGroupsPolicy: choose.pick(['Merge', 'Odd']) },
    {
      sysctls: choose.pick([
        [{ name: 'net.core.somaxconn', value: '1' }],
        [{ name: 'A b', value: '' }],
        [{ value: 'x' }],
      ]),
    },
    {
      sysctls: [
        { name: 'kernel.msgmax', value: '1' },
        { name: choose.pick(['kernel.msgmax', 'a/b']), value: '1' },
      ],
    },
    { seccompProfile: profile(choose) },
    { appArmorProfile: profile(choose) },
    { windowsOptions: windows(choose) },
    { seLinuxChangePolicy: choose.pick(['MountOption', 'Odd']), seLinuxOptions: { level: 's0' } },
  ]),
  ...choose.maybe(0.3, { [choose.pick(['hostNetwork', 'hostPID', 'hostIPC', 'shareProcessNamespace'])]: true }),
});

const network: Part = (choose) =>
  choose.pick<object>([
    { dnsPolicy: 'None', ...choose.maybe(0.7, { dnsConfig: choose.pick([{}, { nameservers: ['1.2.3.4'] }]) }) },
    {
      dnsConfig: {
        nameservers: choose.pick([['1.2.3.4', '01.2.3.4'], ['a'], ['1.1.1.1', '1.1.1.2', '1.1.1.3', '1.1.1.4']]),
      },
    },
    {
      dnsConfig: {
        searches: choose.pick([['a.b'], ['_a.b.'], ['.'], ['A b']]),
        options: choose.pick([[{ name: 'ndots', value: '2' }], [{}]]),
      },
    },
    { hostAliases: [{ ip: choose.pick(['1.2.3.4', 'a', '']), hostnames: choose.pick([['a'], ['A_b']]) }] },
    { hostname: choose.pick(['a', 'a.b']), subdomain: choose.pick(['b', 'B_']) },
    { hostnameOverride: choose.pick(['a.b', 'A', '']), ...choose.maybe(0.4, { setHostnameAsFQDN: true }) },
    {
      hostUsers: choose.pick([true, false]),
      ...choose.maybe(0.5, { [choose.pick(['hostNetwork', 'hostPID', 'hostIPC'])]: true }),
    },
  ]);

const others: Part = (choose) =>
  choose.pick<object>([
    { readinessGates: [{ conditionType: choose.pick(['a/b', 'b c', '']) }] },
    { schedulingGates: choose.pick([[{ name: 'a/b' }], [{ name: 'b c' }], [{ name: 'a' }, { name: 'b' }]]) },
    { os: { name: choose.pick(['linux', 'windows', 'odd', '']) } },
    { resources: { limits: amounts(choose), ...choose.maybe(0.4, { requests: amounts(choose) }) } },
    {
      resourceClaims: [
        choose.pick<object>([
          { name: 'r', resourceClaimName: 'c' },
          { name: 'R', resourceClaimTemplateName: 'C_' },
          { name: 'r' },
          { name: 'r', resourceClaimName: 'c', resourceClaimTemplateName: 'd' },
        ]),
      ],
    },
    { imagePullSecrets: choose.pick([[{ name: 'a' }], [{}], [{ name: 'a' }, { name: 'a' }]]) },
    { overhead: amounts(choose) },
    { runtimeClassName: choose.pick(['none', 'A_b', '']) },
    { preemptionPolicy: choose.pick(['Never', 'Odd']) },
    { priorityClassName: choose.pick(['none', 'system-node-critical']) },
    { serviceAccountName: choose.pick(['a', 'A_b']), automountServiceAccountToken: false },
    {
      tolerations: [
        {
          key: choose.pick(['k', 'bad key', '']),
          operator: choose.pick(['Exists', 'Lt', '']),
          value: choose.pick(['1', '']),
          ...choose.maybe(0.4, { tolerationSeconds: 1 }),
          ...choose.maybe(0.5, { effect: choose.pick(['NoExecute', 'Odd']) }),
        },
      ],
    },
    { activeDeadlineSeconds: choose.pick([1, 0]), enableServiceLinks: false },
  ]);

/** A pod's spec with some rarely used fields. */
export function detailedPodSpec(choose: Chooser): object {
  const parts = [affinity, spread, podSecurity, volumes, volumes, volumes, network, others, others];
  return {
    containers: [
      {
        name: 'c',
        image: choose.pick(['busybox', ' busybox']),
        ...choose.maybe(0.7, containerPart(choose)),
        ...choose.maybe(0.2, containerPart(choose)),
      },
    ],
    ...choose.maybe(0.15, {
      initContainers: [
        { name: 'i', image: 'busybox', ...choose.maybe(0.4, { restartPolicy: 'Always' }), ...containerPart(choose) },
      ],
    }),
    ...choose.maybe(0.8, choose.pick(parts)(choose)),
    ...choose.maybe(0.3, choose.pick(parts)(choose)),
    ...choose.maybe(0.1, { restartPolicy: choose.pick(['Never', 'OnFailure']) }),
  };
}

/** Annotations that mean something to pods. */
export function podAnnotations(choose: Chooser): object {
  return {
    [choose.pick([
      'container.apparmor.security.beta.kubernetes.io/c',
      'container.apparmor.security.beta.kubernetes.io/x',
      'seccomp.security.alpha.kubernetes.io/pod',
      'container.seccomp.security.alpha.kubernetes.io/c',
    ])]: choose.pick(['runtime/default', 'unconfined', 'localhost/a', 'odd']),
    ...choose.maybe(0.2, { 'controller.kubernetes.io/pod-deletion-cost': choose.pick(['1', '01', 'x']) }),
    ...choose.maybe(0.1, { 'kubernetes.io/config.mirror': 'x' }),
  };
}

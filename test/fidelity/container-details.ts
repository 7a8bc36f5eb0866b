import type { Chooser } from './chooser.js';

import { fieldRef, resourceFieldRef } from './field-references.js';
import { profile, windows } from './security-profiles.js';

type Part = (choose: Chooser) => object;

const containerSecurity = (choose: Chooser): object => ({
  securityContext: choose.pick<object>([
    { privileged: true, ...choose.maybe(0.4, { allowPrivilegeEscalation: false }) },
    { capabilities: { add: choose.pick([['CAP_SYS_ADMIN'], ['NET_ADMIN']]) }, allowPrivilegeEscalation: false },
    { procMount: choose.pick(['Default', 'Unmasked', 'Odd']) },
    { seccompProfile: profile(choose) },
    { appArmorProfile: profile(choose) },
    { windowsOptions: windows(choose) },
    { readOnlyRootFilesystem: true, runAsGroup: choose.pick([1, -1]) },
  ]),
});

const handler = (choose: Chooser): object =>
  choose.pick<object>([
    { httpGet: { port: choose.pick([80, 'http', 0, 'no_good']), path: choose.pick(['/', '']) } },
    {
      httpGet: {
        port: 80,
        scheme: choose.pick(['HTTPS', 'Odd']),
        httpHeaders: [{ name: choose.pick(['A', 'b c']), value: '1' }],
      },
    },
    { exec: { command: choose.pick([['a'], []]) } },
    { tcpSocket: { port: choose.pick([80, 70000]) } },
    { grpc: { port: choose.pick([80, 0]) } },
    { sleep: { seconds: choose.pick([0, 1, -1, 100]) } },
    {},
    { exec: { command: ['a'] }, tcpSocket: { port: 80 } },
  ]);

const probe = (choose: Chooser): object => ({
  ...handler(choose),
  ...choose.maybe(0.3, { periodSeconds: choose.pick([1, 0, -1]), successThreshold: choose.pick([1, 2]) }),
  ...choose.maybe(0.2, { terminationGracePeriodSeconds: choose.pick([1, 0]) }),
});

const variable = (choose: Chooser): object => ({
  name: choose.pick(['A', 'b c', '=']),
  valueFrom: choose.pick<object>([
    { fieldRef: fieldRef(choose) },
    { resourceFieldRef: resourceFieldRef(choose) },
    { configMapKeyRef: { name: choose.pick(['a', 'A_b']), key: choose.pick(['k', '', '..']) } },
    { secretKeyRef: { name: 'a', key: 'k', optional: true } },
    { fileKeyRef: { volumeName: choose.pick(['v', 'w']), path: choose.pick(['a', '../a']), key: 'K' } },
    {},
    { fieldRef: fieldRef(choose), secretKeyRef: { name: 'a', key: 'k' } },
  ]),
  ...choose.maybe(0.1, { value: '1' }),
});

export const amounts = (choose: Chooser): object => ({
  [choose.pick(['cpu', 'memory', 'ephemeral-storage', 'hugepages-2Mi', 'example.com/gpu', 'odd', 'bad name'])]:
    choose.pick(['1', '2Mi', '4M', '500m', '-1', '1e3']),
});

/** A rarely used field of containers. */
export const containerPart = (choose: Chooser): object =>
  choose.pick<Part>([
    containerSecurity,
    () => ({ livenessProbe: probe(choose) }),
    () => ({ readinessProbe: probe(choose) }),
    () => ({ startupProbe: probe(choose) }),
    () => ({ lifecycle: { [choose.pick(['preStop', 'postStart'])]: handler(choose) } }),
    () => ({ env: [variable(choose)] }),
    () => ({
      envFrom: [
        choose.pick([
          { configMapRef: { name: 'a' } },
          { secretRef: { name: '' } },
          {},
          { prefix: '=', secretRef: { name: 'A_b' } },
        ]),
      ],
    }),
    () => ({ resources: { limits: amounts(choose), ...choose.maybe(0.5, { requests: amounts(choose) }) } }),
    () => ({
      resources: { claims: [{ name: choose.pick(['r', 'other', '']), ...choose.maybe(0.3, { request: 'q' }) }] },
    }),
    () => ({
      resizePolicy: [
        {
          resourceName: choose.pick(['cpu', 'odd']),
          restartPolicy: choose.pick(['NotRequired', 'RestartContainer', 'Odd']),
        },
      ],
    }),
    () => ({ restartPolicy: choose.pick(['Always', 'Never', 'Odd']) }),
    () => ({
      restartPolicy: 'Never',
      restartPolicyRules: [
        {
          action: choose.pick(['Restart', 'RestartAllContainers', 'Odd']),
          ...choose.maybe(0.8, { exitCodes: { operator: choose.pick(['In', 'Odd']), values: [1] } }),
        },
      ],
    }),
    () => ({
      volumeMounts: [
        {
          name: choose.pick(['v', 'v', 'w']),
          mountPath: '/v',
          ...choose.maybe(0.3, { subPath: choose.pick(['a', '/a', '../a']) }),
          ...choose.maybe(0.2, { subPathExpr: choose.pick(['$(A)', '/b']) }),
          ...choose.maybe(0.3, { mountPropagation: choose.pick(['None', 'Bidirectional', 'Odd']) }),
          ...choose.maybe(0.3, {
            recursiveReadOnly: choose.pick(['Disabled', 'Enabled', 'Odd']),
            readOnly: choose.pick([true, false]),
          }),
        },
      ],
    }),
    () => ({ volumeDevices: [{ name: choose.pick(['v', 'w', '']), devicePath: choose.pick(['/d', '../d', '']) }] }),
    () => ({
      ports: [
        {
          containerPort: 80,
          hostPort: choose.pick([80, 81, 0]),
          protocol: choose.pick(['TCP', 'SCTP', 'Odd']),
          name: choose.pick(['a', 'A', 'p1', '']),
        },
        { containerPort: 80, hostPort: choose.pick([80, 81, 0]), name: choose.pick(['a', 'b']) },
      ],
    }),
  ])(choose);

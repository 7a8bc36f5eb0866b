import type { RefusedObject } from './refused-objects.js';

/** The specs of pods and the errors that the real server returns for them. */
const SPECS: readonly (readonly [string, object, string])[] = [
  [
    'a Pod with invalid affinities',
    {
      containers: [{ name: 'c', image: 'i' }],
      affinity: {
        nodeAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: {
            nodeSelectorTerms: [
              {
                matchExpressions: [{ key: 'x', operator: 'Gt', values: [] }],
                matchFields: [{ key: 'spec.odd', operator: 'Exists' }],
              },
            ],
          },
        },
        podAntiAffinity: {
          preferredDuringSchedulingIgnoredDuringExecution: [
            { weight: 0, podAffinityTerm: { topologyKey: '', matchLabelKeys: ['x'] } },
          ],
        },
      },
    },
    "[spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0].matchExpressions[0].values: Required value: must be specified single value when `operator` is 'Lt' or 'Gt', spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0].matchFields[0].operator: Invalid value: \"Exists\": not a valid selector operator, spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0].matchFields[0].key: Invalid value: \"spec.odd\": not a valid field selector key, spec.affinity.podAntiAffinity.preferredDuringSchedulingIgnoredDuringExecution[0].weight: Invalid value: 0: must be in the range 1-100, spec.affinity.podAntiAffinity.preferredDuringSchedulingIgnoredDuringExecution[0].podAffinityTerm.matchLabelKeys: Forbidden: must not be specified when labelSelector is not set, spec.affinity.podAntiAffinity.preferredDuringSchedulingIgnoredDuringExecution[0].podAffinityTerm.topologyKey: Required value: can not be empty, spec.affinity.podAntiAffinity.preferredDuringSchedulingIgnoredDuringExecution[0].podAffinityTerm.topologyKey: Invalid value: \"\": name part must be non-empty, spec.affinity.podAntiAffinity.preferredDuringSchedulingIgnoredDuringExecution[0].podAffinityTerm.topologyKey: Invalid value: \"\": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')]",
  ],
  [
    'a Pod with invalid spread constraints',
    {
      containers: [{ name: 'c', image: 'i' }],
      topologySpreadConstraints: [
        { maxSkew: 0, topologyKey: 'z', whenUnsatisfiable: 'Odd', minDomains: 0, nodeTaintsPolicy: '' },
      ],
    },
    '[spec.topologySpreadConstraints[0].maxSkew: Invalid value: 0: must be greater than zero, spec.topologySpreadConstraints[0].whenUnsatisfiable: Unsupported value: "Odd": supported values: "DoNotSchedule", "ScheduleAnyway", spec.topologySpreadConstraints[0].minDomains: Invalid value: 0: must be greater than zero, spec.topologySpreadConstraints[0].minDomains: Invalid value: 0: can only use minDomains if whenUnsatisfiable=DoNotSchedule, not Odd, spec.topologySpreadConstraints[0].nodeTaintsPolicy: Unsupported value: "": supported values: "Honor", "Ignore"]',
  ],
  [
    'a Pod with an invalid DNS configuration and host aliases',
    {
      containers: [{ name: 'c', image: 'i' }],
      dnsConfig: { nameservers: ['01.2.3.4'], searches: ['A b'], options: [{}] },
      hostAliases: [{ ip: 'a', hostnames: ['A_b'] }],
    },
    "[spec.dnsConfig.nameservers[0]: Invalid value: \"01.2.3.4\": must not have leading 0s, spec.dnsConfig.searches[0]: Invalid value: \"A b\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '_', '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '_?[a-z0-9]([-_a-z0-9]*[a-z0-9])?(\\._?[a-z0-9]([-_a-z0-9]*[a-z0-9])?)*'), spec.dnsConfig.options[0]: Required value: must not be empty, spec.hostAliases[0].ip: Invalid value: \"a\": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff), spec.hostAliases[0].hostnames[0]: Invalid value: \"A_b\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')]",
  ],
  [
    'a Pod with an invalid security context',
    {
      containers: [{ name: 'c', image: 'i' }],
      hostPID: true,
      shareProcessNamespace: true,
      securityContext: {
        fsGroup: -1,
        supplementalGroups: [-1],
        sysctls: [{ name: 'A b', value: '1' }],
        fsGroupChangePolicy: 'Odd',
        seccompProfile: { type: 'Localhost' },
        appArmorProfile: { type: 'Odd' },
        seLinuxChangePolicy: 'MountOption',
      },
    },
    '[spec.securityContext.fsGroup: Invalid value: -1: must be between 0 and 2147483647, inclusive, spec.securityContext.supplementalGroups[0]: Invalid value: -1: must be between 0 and 2147483647, inclusive, spec.securityContext.shareProcessNamespace: Invalid value: true: ShareProcessNamespace and HostPID cannot both be enabled, spec.securityContext.sysctls[0].name: Invalid value: "A b": must have at most 253 characters and match regex ^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[\\./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?$, spec.securityContext.fsGroupChangePolicy: Unsupported value: "Odd": supported values: "Always", "OnRootMismatch", spec.securityContext.seccompProfile.localhostProfile: Required value: must be set when seccomp type is Localhost, spec.securityContext.appArmorProfile.type: Unsupported value: "Odd": supported values: "Localhost", "RuntimeDefault", "Unconfined", spec.securityContext.seLinuxChangePolicy: Unsupported value: "MountOption": supported values: "Recursive"]',
  ],
  [
    'a Windows Pod with fields of Linux',
    {
      os: { name: 'windows' },
      hostIPC: true,
      containers: [
        { name: 'c', image: 'i', securityContext: { privileged: true, windowsOptions: { runAsUserName: 'a:b' } } },
      ],
    },
    '[spec.containers[0].securityContext.windowsOptions.runAsUserName: Invalid value: "a:b": runAsUserName\'s User cannot contain the following characters: "/\\:;|=,+*?<>@[], spec.hostIPC: Forbidden: cannot be set for a windows pod, spec.containers[0].securityContext.privileged: Forbidden: cannot be set for a windows pod]',
  ],
  [
    'a Pod with contradictory security contexts of containers',
    {
      containers: [
        {
          name: 'c',
          image: 'i',
          securityContext: {
            procMount: 'Unmasked',
            capabilities: { add: ['CAP_SYS_ADMIN'] },
            allowPrivilegeEscalation: false,
          },
        },
      ],
    },
    '[spec.containers[0].securityContext.procMount: Invalid value: "Unmasked": `hostUsers` must be false to use `Unmasked`, spec.containers[0].securityContext: Invalid value: {"Capabilities":{"Add":["CAP_SYS_ADMIN"],"Drop":null},"Privileged":null,"SELinuxOptions":null,"WindowsOptions":null,"RunAsUser":null,"RunAsGroup":null,"RunAsNonRoot":null,"ReadOnlyRootFilesystem":null,"AllowPrivilegeEscalation":false,"ProcMount":"Unmasked","SeccompProfile":null,"AppArmorProfile":null}: cannot set `allowPrivilegeEscalation` to false and `capabilities.Add` CAP_SYS_ADMIN]',
  ],
  [
    'a Pod with invalid volumes of external storage',
    {
      containers: [{ name: 'c', image: 'i' }],
      volumes: [
        { name: 'a', gitRepo: { repository: '', directory: '/a' } },
        { name: 'b', iscsi: { targetPortal: '', iqn: 'a', lun: 256 } },
        { name: 'c', fc: { targetWWNs: ['a'] } },
        { name: 'd', azureDisk: { diskName: 'a', diskURI: 'a', kind: 'Managed' } },
        { name: 'e', csi: { driver: 'A_' } },
        { name: 'f', quobyte: { registry: 'a', volume: '' } },
      ],
    },
    '[spec.volumes[0].gitRepo.repository: Required value, spec.volumes[0].gitRepo.directory: Invalid value: "/a": must be a relative path, spec.volumes[1].iscsi.targetPortal: Required value, spec.volumes[1].iscsi.iqn: Invalid value: "a": must be valid format starting with iqn, eui, or naa, spec.volumes[1].iscsi.lun: Invalid value: 256: must be between 0 and 255, inclusive, spec.volumes[2].fc.lun: Required value: lun is required if targetWWNs is specified, spec.volumes[3].azureDisk.diskURI: Unsupported value: "a": supported values: "/subscriptions/{sub-id}/resourcegroups/{group-name}/providers/microsoft.compute/disks/{disk-id}", spec.volumes[4].csi.driver: Invalid value: "A_": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, \'-\' or \'.\', and must start and end with an alphanumeric character (e.g. \'example.com\', regex used for validation is \'[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*\'), spec.volumes[5].quobyte.registry: Invalid value: "a": must be a host:port pair or multiple pairs separated by commas, spec.volumes[5].quobyte.volume: Required value]',
  ],
  [
    'a Pod with invalid local volumes',
    {
      containers: [{ name: 'c', image: 'i' }],
      volumes: [
        {
          name: 'a',
          projected: {
            sources: [{ secret: { name: '', items: [{ key: 'k', path: '..p' }] }, configMap: { name: 'a' } }],
          },
        },
        { name: 'b', downwardAPI: { items: [{ path: '', resourceFieldRef: { resource: 'odd' } }] } },
        { name: 'c', ephemeral: { volumeClaimTemplate: { spec: { accessModes: ['Odd'] } } } },
        { name: 'd', emptyDir: { sizeLimit: '-1' } },
      ],
    },
    '[spec.volumes[0].projected.sources[0].secret.name: Required value, spec.volumes[0].projected.sources[0].secret.items[0].path: Invalid value: "..p": must not start with \'..\', spec.volumes[0].projected.sources[0]: Forbidden: may not specify more than 1 volume type per source, spec.volumes[1].downwardAPI.path: Required value, spec.volumes[1].downwardAPI.resourceFieldRef.containerName: Required value, spec.volumes[2].ephemeral.volumeClaimTemplate.spec.accessModes: Unsupported value: "Odd": supported values: "ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod", spec.volumes[2].ephemeral.volumeClaimTemplate.spec.resources[storage]: Required value, spec.volumes[3].emptyDir.sizeLimit: Forbidden: SizeLimit field must be a valid resource quantity]',
  ],
  [
    'a Pod with invalid volume mounts',
    {
      containers: [
        {
          name: 'c',
          image: 'i',
          volumeMounts: [
            {
              name: 'v',
              mountPath: '/v',
              subPath: 'a',
              subPathExpr: '/b',
              mountPropagation: 'Bidirectional',
              recursiveReadOnly: 'Enabled',
            },
          ],
          volumeDevices: [{ name: 'v', devicePath: '../d' }],
        },
      ],
      volumes: [{ name: 'v', emptyDir: {} }],
    },
    '[spec.containers[0].volumeMounts[0].name: Invalid value: "v": must not already exist in volumeDevices, spec.containers[0].volumeMounts[0].subPathExpr: Invalid value: "/b": subPathExpr and subPath are mutually exclusive, spec.containers[0].volumeMounts.subPathExpr: Invalid value: "/b": must be a relative path, spec.containers[0].volumeMounts.mountPropagation: Forbidden: Bidirectional mount propagation is available only to privileged containers, spec.containers[0].volumeMounts.recursiveReadOnly: Forbidden: may only be specified when readOnly is true, spec.containers[0].volumeMounts.recursiveReadOnly: Forbidden: may only be specified when mountPropagation is None or not specified, spec.containers[0].volumeDevices[0].name: Invalid value: "v": can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode, spec.containers[0].volumeDevices[0].devicePath: Invalid value: "../d": can not contain backsteps (\'..\'), spec.containers[0].volumeDevices[0].name: Invalid value: "v": must not already exist in volumeMounts]',
  ],
  [
    'a Pod with invalid sources of variables',
    {
      containers: [
        {
          name: 'c',
          image: 'i',
          env: [
            { name: 'A', valueFrom: { fieldRef: { fieldPath: 'spec.odd' } } },
            { name: 'B', valueFrom: { resourceFieldRef: { resource: 'limits.cpu', divisor: '2' } } },
            { name: 'C', valueFrom: { fileKeyRef: { volumeName: 'w', path: '../a', key: 'K' } } },
          ],
        },
      ],
    },
    '[spec.containers[0].env[0].valueFrom.fieldRef.fieldPath: Invalid value: "spec.odd": error converting fieldPath: field label not supported: spec.odd, spec.containers[0].env[1].valueFrom.resourceFieldRef.divisor: Invalid value: "limits.cpu": only divisor\'s values 1m and 1 are supported with the cpu resource, spec.containers[0].env[2].valueFrom.fileKeyRef.path: Invalid value: "../a": must not contain \'..\', spec.containers[0].env[2].valueFrom.fileKeyRef.volumeName: Not found: "w"]',
  ],
  [
    'a Pod with invalid restart rules',
    {
      containers: [
        {
          name: 'c',
          image: 'i',
          restartPolicy: 'Odd',
          restartPolicyRules: [{ action: 'Odd' }],
          resizePolicy: [{ resourceName: 'odd', restartPolicy: 'Odd' }],
        },
      ],
    },
    '[spec.containers[0].resizePolicy: Unsupported value: "odd": supported values: "cpu", "memory", spec.containers[0].resizePolicy: Unsupported value: "Odd": supported values: "NotRequired", "RestartContainer", spec.containers[0].restartPolicy: Unsupported value: "Odd": supported values: "Always", "Never", "OnFailure", spec.containers[0].restartPolicyRules[0].action: Unsupported value: "Odd": supported values: "Restart", "RestartAllContainers", spec.containers[0].restartPolicyRules[0].exitCodes: Required value: must be specified]',
  ],
  [
    'a Pod with containers that request more than the Pod',
    {
      containers: [{ name: 'c', image: 'i', resources: { requests: { cpu: '2' } } }],
      resources: { requests: { cpu: '1' }, limits: { 'hugepages-2Mi': '3Mi' } },
    },
    '[spec.resources.limits[hugepages-2Mi]: Invalid value: "3Mi": 3Mi is not positive integer multiple of hugepages-2Mi, spec.resources.requests[hugepages-2Mi]: Invalid value: "3Mi": 3Mi is not positive integer multiple of hugepages-2Mi, spec.resources.requests[cpu]: Invalid value: "1": must be greater than or equal to aggregate container requests of 2]',
  ],
  [
    'a Pod with a container that uses a missing claim',
    {
      containers: [{ name: 'c', image: 'i', resources: { claims: [{ name: 'r' }, { name: 'other' }] } }],
      resourceClaims: [{ name: 'r' }],
    },
    '[spec.resourceClaims[0]: Invalid value: {"Name":"r","ResourceClaimName":null,"ResourceClaimTemplateName":null}: must specify one of: `resourceClaimName`, `resourceClaimTemplateName`, spec.containers[0].resources.claims[1]: Not found: "other": must be one of the names in pod.spec.resourceClaims: r]',
  ],
  [
    'a Pod with a hook that sleeps longer than the grace period',
    {
      terminationGracePeriodSeconds: 1,
      containers: [{ name: 'c', image: 'i', lifecycle: { preStop: { sleep: { seconds: 2 } } } }],
    },
    'spec.containers[0].lifecycle.preStop.sleep: Invalid value: 2: must be non-negative and less than terminationGracePeriodSeconds (1)',
  ],
  [
    'a Pod with an invalid projected token',
    {
      containers: [{ name: 'c', image: 'i' }],
      volumes: [{ name: 'v', projected: { sources: [{ serviceAccountToken: { path: '/p', expirationSeconds: 1 } }] } }],
    },
    '[spec.volumes[0].projected.sources[0].serviceAccountToken.expirationSeconds: Invalid value: 1: may not specify a duration less than 10 minutes, spec.volumes[0].projected.path: Invalid value: "/p": must be a relative path, spec.volumes[0].projected.sources[0].serviceAccountToken: Forbidden: must not be specified when serviceAccountName is not set]',
  ],
];

/** Pods that are rejected for rarely used fields. */
export const REFUSED_PODS: readonly RefusedObject[] = SPECS.map(([title, spec, why]) => [
  title,
  '/api/v1/namespaces/default/pods',
  { apiVersion: 'v1', kind: 'Pod', spec },
  why,
]);

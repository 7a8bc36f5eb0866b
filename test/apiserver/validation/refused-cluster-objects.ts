/** Invalid cluster-scoped objects and the errors that kube-apiserver returns for them. */
export const REFUSED_CLUSTER_OBJECTS: readonly (readonly [title: string, path: string, object: object, why: string])[] =
  [
    [
      'a VolumeAttachment without a source',
      '/apis/storage.k8s.io/v1/volumeattachments',
      { apiVersion: 'storage.k8s.io/v1', kind: 'VolumeAttachment', spec: {} },
      "[spec.attacher: Required value, spec.source: Required value: must specify exactly one of inlineVolumeSpec and persistentVolumeName, spec.nodeName: Invalid value: \"\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')]",
    ],
    [
      'a VolumeAttachment with forbidden fields in its inline volume',
      '/apis/storage.k8s.io/v1/volumeattachments',
      {
        apiVersion: 'storage.k8s.io/v1',
        kind: 'VolumeAttachment',
        spec: {
          attacher: 'a.example.com',
          nodeName: 'one',
          source: {
            inlineVolumeSpec: {
              capacity: { storage: '1Gi' },
              claimRef: { name: 'c' },
              hostPath: { path: '/a' },
              local: { path: '/b' },
              nodeAffinity: {},
              persistentVolumeReclaimPolicy: 'Delete',
              storageClassName: 'fast',
              volumeMode: 'Block',
              volumeAttributesClassName: '',
            },
          },
        },
      },
      '[spec.source.inlineVolumeSpec.claimRef: Forbidden: may not be specified in the context of inline volumes, spec.source.inlineVolumeSpec.capacity: Forbidden: may not be specified in the context of inline volumes, spec.source.inlineVolumeSpec.csi: Required value: has to be specified in the context of inline volumes, spec.source.inlineVolumeSpec.accessModes: Required value, spec.source.inlineVolumeSpec.persistentVolumeReclaimPolicy: Forbidden: may only be Retain in the context of inline volumes, spec.source.inlineVolumeSpec.nodeAffinity: Forbidden: may not be specified in the context of inline volumes, spec.source.inlineVolumeSpec.local: Forbidden: may not specify more than 1 volume type, spec.source.inlineVolumeSpec.storageClassName: Forbidden: may not be specified in the context of inline volumes, spec.source.inlineVolumeSpec.volumeMode: Forbidden: may not specify volumeMode other than Filesystem in the context of inline volumes]',
    ],
    [
      'a VolumeAttachment with an incomplete secret reference',
      '/apis/storage.k8s.io/v1/volumeattachments',
      {
        apiVersion: 'storage.k8s.io/v1',
        kind: 'VolumeAttachment',
        spec: {
          attacher: 'a.example.com',
          nodeName: 'one',
          source: {
            inlineVolumeSpec: {
              accessModes: ['ReadWriteOnce'],
              csi: { driver: 'd.example.com', volumeHandle: 'h', nodePublishSecretRef: { name: 'Bad_' } },
            },
          },
        },
      },
      "[spec.source.inlineVolumeSpec.csi.nodePublishSecretRef.name: Invalid value: \"Bad_\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*'), spec.source.inlineVolumeSpec.csi.nodePublishSecretRef.namespace: Required value]",
    ],
    [
      'a ServiceCIDR with two networks of one IP family',
      '/apis/networking.k8s.io/v1/servicecidrs',
      {
        apiVersion: 'networking.k8s.io/v1',
        kind: 'ServiceCIDR',
        spec: { cidrs: ['::ffff:192.168.8.0/120', '192.168.7.0/24'] },
      },
      '[spec.cidrs[0]: Invalid value: "::ffff:192.168.8.0/120": must not have an IPv4-mapped IPv6 address, spec.cidrs: Invalid value: ["::ffff:192.168.8.0/120","192.168.7.0/24"]: may specify no more than one IP for each IP family, i.e 192.168.0.0/24 and 2001:db8::/64]',
    ],
    [
      'a ServiceCIDR with too many networks',
      '/apis/networking.k8s.io/v1/servicecidrs',
      {
        apiVersion: 'networking.k8s.io/v1',
        kind: 'ServiceCIDR',
        spec: { cidrs: ['192.168.7.0/24', '192.168.8.0/24', '2001:db8::/64'] },
      },
      'spec.cidrs: Invalid value: {"CIDRs":["192.168.7.0/24","192.168.8.0/24","2001:db8::/64"]}: may only hold up to 2 values',
    ],
    [
      'a FlowSchema with a too large precedence and without a subject',
      '/apis/flowcontrol.apiserver.k8s.io/v1/flowschemas',
      {
        apiVersion: 'flowcontrol.apiserver.k8s.io/v1',
        kind: 'FlowSchema',
        spec: { priorityLevelConfiguration: { name: 'catch-all' }, matchingPrecedence: 10001, rules: [{}] },
      },
      '[spec.matchingPrecedence: Invalid value: 10001: must not be greater than 10000, spec.rules[0].subjects: Required value: subjects must contain at least one value, spec.rules[0]: Required value: at least one of resourceRules and nonResourceRules has to be non-empty]',
    ],
    [
      'a FlowSchema with invalid rules',
      '/apis/flowcontrol.apiserver.k8s.io/v1/flowschemas',
      {
        apiVersion: 'flowcontrol.apiserver.k8s.io/v1',
        kind: 'FlowSchema',
        spec: {
          priorityLevelConfiguration: { name: 'catch-all' },
          rules: [
            {
              subjects: [{ kind: 'Odd' }, { kind: 'User', group: { name: 'g' } }, { kind: 'Group', group: {} }],
              resourceRules: [{ verbs: ['*', 'get'], apiGroups: ['*', ''], resources: [], namespaces: ['Bad_'] }, {}],
              nonResourceRules: [{ verbs: ['odd'], nonResourceURLs: ['', 'a', '/a b', '/a//b', '/a*', '/a/*'] }],
            },
          ],
        },
      },
      '[spec.rules[0].subjects[0].kind: Unsupported value: "Odd": supported values: "Group", "ServiceAccount", "User", spec.rules[0].subjects[1].user: Required value: user is required when subject kind is \'User\', spec.rules[0].subjects[1].group: Forbidden: group is forbidden when subject kind is not \'Group\', spec.rules[0].subjects[2].group.name: Required value, spec.rules[0].resourceRules[0].verbs: Invalid value: ["*","get"]: if \'*\' is present, must not specify other verbs, spec.rules[0].resourceRules[0].apiGroups: Invalid value: ["*",""]: if \'*\' is present, must not specify other api groups, spec.rules[0].resourceRules[0].resources: Required value: resource rules must supply at least one resource, spec.rules[0].resourceRules[0].namespaces[0]: Invalid value: "Bad_": each member of this list must be \'*\' or a DNS-1123 label; a lowercase RFC 1123 label must consist of lower case alphanumeric characters or \'-\', and must start and end with an alphanumeric character (e.g. \'my-name\',  or \'123-abc\', regex used for validation is \'[a-z0-9]([-a-z0-9]*[a-z0-9])?\'), spec.rules[0].resourceRules[1].verbs: Required value: verbs must contain at least one value, spec.rules[0].resourceRules[1].apiGroups: Required value: resource rules must supply at least one api group, spec.rules[0].resourceRules[1].resources: Required value: resource rules must supply at least one resource, spec.rules[0].resourceRules[1].namespaces: Required value: resource rules that are not cluster scoped must supply at least one namespace, spec.rules[0].nonResourceRules[0].verbs: Unsupported value: ["odd"]: supported values: "create", "delete", "deletecollection", "get", "list", "patch", "proxy", "update", "watch", spec.rules[0].nonResourceRules[0].nonResourceURLs[0]: Invalid value: "": must not be empty, spec.rules[0].nonResourceRules[0].nonResourceURLs[1]: Invalid value: "a": must start with slash, spec.rules[0].nonResourceRules[0].nonResourceURLs[2]: Invalid value: "/a b": must not contain white-space, spec.rules[0].nonResourceRules[0].nonResourceURLs[3]: Invalid value: "/a//b": must not contain double slash, spec.rules[0].nonResourceRules[0].nonResourceURLs[4]: Invalid value: "/a*": wildcard can only do suffix matching]',
    ],
    [
      'a PriorityLevelConfiguration with invalid shares',
      '/apis/flowcontrol.apiserver.k8s.io/v1/prioritylevelconfigurations',
      {
        apiVersion: 'flowcontrol.apiserver.k8s.io/v1',
        kind: 'PriorityLevelConfiguration',
        spec: {
          type: 'Limited',
          limited: { nominalConcurrencyShares: -1, lendablePercent: 101, borrowingLimitPercent: -1 },
        },
      },
      '[spec.limited.nominalConcurrencyShares: Invalid value: -1: must be a non-negative integer, spec.limited.limitResponse.type: Required value, spec.limited.lendablePercent: Invalid value: 101: must be between 0 and 100, inclusive, spec.limited.borrowingLimitPercent: Invalid value: -1: if specified, must be a non-negative integer]',
    ],
    [
      'a PriorityLevelConfiguration with invalid queues',
      '/apis/flowcontrol.apiserver.k8s.io/v1/prioritylevelconfigurations',
      {
        apiVersion: 'flowcontrol.apiserver.k8s.io/v1',
        kind: 'PriorityLevelConfiguration',
        spec: {
          type: 'Limited',
          limited: {
            limitResponse: { type: 'Queue', queuing: { queues: 10000001, handSize: 20, queueLengthLimit: -1 } },
          },
        },
      },
      '[spec.limited.limitResponse.queuing.queueLengthLimit: Invalid value: -1: must be positive, spec.limited.limitResponse.queuing.queues: Invalid value: 10000001: must not be greater than 10000000, spec.limited.limitResponse.queuing.handSize: Invalid value: 20: required entropy bits of deckSize 10000001 and handSize 20 should not be greater than 60]',
    ],
  ];

/** Workloads with one replica whose templates are stored as ControllerRevisions. */
const keeper = (kind: string, spec: string): string => `apiVersion: apps/v1
kind: ${kind}
metadata: { name: keeper, annotations: { kubernetes.io/change-cause: first } }
spec:
  ${spec}
  selector: { matchLabels: { app: keeper } }
  template:
    metadata: { labels: { app: keeper } }
    spec: { terminationGracePeriodSeconds: 0, containers: [{ name: c, image: 'nginx:1' }] }
`;

export const DAEMON_SET = keeper('DaemonSet', 'updateStrategy: { type: RollingUpdate }');
export const STATEFUL_SET = keeper('StatefulSet', 'serviceName: keeper');

/** The manifest of a later call of `apply`. */
export const second = (manifest: string): string =>
  manifest.replace('change-cause: first', 'change-cause: second').replace('nginx:1', 'nginx:2');

export const CONTROLLER = `apiVersion: v1
kind: ReplicationController
metadata: { name: front }
spec:
  replicas: 1
  selector: { app: front }
  template:
    metadata: { labels: { app: front } }
    spec: { terminationGracePeriodSeconds: 0, containers: [{ name: c, image: 'nginx:1' }] }
`;

export const TARGET = `apiVersion: v1
kind: Pod
metadata: { name: target, labels: { run: target } }
spec:
  nodeName: node-1
  terminationGracePeriodSeconds: 0
  containers: [{ name: one, image: busybox }, { name: two, image: busybox }]
`;

/** It has no node, so that only the API server decides if it may be resized. */
export const SIZED = `apiVersion: v1
kind: Pod
metadata: { name: sized }
spec:
  schedulerName: nobody
  containers: [{ name: one, image: busybox, resources: { requests: { cpu: 500m }, limits: { cpu: '1' } } }]
`;

export const GUARDED = `apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: { name: guard }
spec: { minAvailable: 1, selector: { matchLabels: { run: target } } }
`;

export const RIGHTS = `apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata: { name: reader, namespace: default }
rules: [{ apiGroups: [''], resources: [pods], verbs: [get, list] }]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: { name: readers, namespace: default }
roleRef: { apiGroup: rbac.authorization.k8s.io, kind: Role, name: reader }
subjects: [{ kind: User, name: somebody, apiGroup: rbac.authorization.k8s.io }]
`;

export const LIMITS = `apiVersion: v1
kind: LimitRange
metadata: { name: bounds }
spec:
  limits:
    - { type: Container, default: { cpu: 500m }, defaultRequest: { cpu: 100m }, max: { cpu: '2', memory: 1Gi } }
    - { type: PersistentVolumeClaim, min: { storage: 1Gi }, max: { storage: 5Gi } }
`;

export const NETWORK_POLICY = `apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: { name: closed }
spec:
  podSelector: { matchLabels: { app: web } }
  policyTypes: [Ingress, Egress]
  ingress:
    - from: [{ ipBlock: { cidr: 172.17.0.0/16, except: [172.17.1.0/24] } }, { podSelector: {} }]
      ports: [{ protocol: TCP, port: 6379 }]
`;

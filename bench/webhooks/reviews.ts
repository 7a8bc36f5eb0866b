const GROUP = 'apps.jicki.cn';
const OBJECT_BYTES = 2048;

const uid = (index: number): string => `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`;

/** A PodSet as an API server stores it, with the fields of its managers. */
function podSet(index: number, version: string, spec: object) {
  const labels = { app: 'podset', 'app.kubernetes.io/part-of': 'bench', tier: 'backend' };
  const fields = { 'f:metadata': { 'f:labels': { 'f:app': {}, 'f:tier': {} } }, 'f:spec': { 'f:size': {} } };
  return {
    apiVersion: `${GROUP}/${version}`,
    kind: 'PodSet',
    metadata: {
      name: `podset-${index}`,
      namespace: `ns-${index % 10}`,
      uid: uid(index),
      resourceVersion: String(1000 + index),
      generation: 1,
      creationTimestamp: '2026-01-01T00:00:00Z',
      labels,
      annotations: { 'example.com/owner': 'platform', 'example.com/note': 'created by the benchmark' },
      managedFields: [
        {
          manager: 'kubectl',
          operation: 'Update',
          apiVersion: `${GROUP}/${version}`,
          fieldsType: 'FieldsV1',
          fieldsV1: fields,
        },
      ],
    },
    spec,
    status: { nodes: ['podset-5d4f8c7b9-abcde', 'podset-5d4f8c7b9-fghij', 'podset-5d4f8c7b9-klmno'] },
  };
}

/** The review of an update of a PodSet of about 0.9 KB: 2.6 KB of JSON. */
export function reviewText(): string {
  const kind = { group: GROUP, version: 'v1', kind: 'PodSet' };
  const resource = { group: GROUP, version: 'v1', resource: 'podsets' };
  return JSON.stringify({
    kind: 'AdmissionReview',
    apiVersion: 'admission.k8s.io/v1',
    request: {
      uid: uid(1),
      kind,
      resource,
      requestKind: kind,
      requestResource: resource,
      name: 'podset-1',
      namespace: 'ns-1',
      operation: 'CREATE',
      userInfo: { username: 'kubernetes-admin', groups: ['kubeadm:cluster-admins', 'system:authenticated'] },
      object: podSet(1, 'v1', { size: 3 }),
      oldObject: null,
      dryRun: false,
      options: { kind: 'CreateOptions', apiVersion: 'meta.k8s.io/v1', fieldManager: 'kubectl' },
    },
  });
}

/** A list of objects of 2 KB, as API servers send it to be converted. */
export function conversionReviewText(objects: number): string {
  const missing = OBJECT_BYTES - JSON.stringify(podSet(objects, 'v1beta1', { replicas: 3, remark: '' })).length;
  const remark = 'x'.repeat(missing);
  return JSON.stringify({
    kind: 'ConversionReview',
    apiVersion: 'apiextensions.k8s.io/v1',
    request: {
      uid: uid(1),
      desiredAPIVersion: `${GROUP}/v1`,
      objects: Array.from({ length: objects }, (_, index) => podSet(index, 'v1beta1', { replicas: 3, remark })),
    },
  });
}

import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** The objects of a cluster after a command, in the form of `statesIn`. */
export interface RecordedStep {
  readonly command: string;
  readonly objects: readonly unknown[];
}

/** The states to which the original operator of a page of docs/coming-from leads. */
export interface Recording {
  /** The operator, its commit, and when it ran; test/tools/record-original.ts writes recordings. */
  readonly original: string;
  readonly steps: readonly RecordedStep[];
}

/** The resources that are compared, by page. */
export const RESOURCES: Readonly<Record<string, readonly string[]>> = {
  kubebuilder: ['cronjobs.v1.batch.tutorial.kubebuilder.io', 'jobs.batch'],
  'operator-sdk': ['memcacheds.cache.example.com', 'deployments.apps'],
  kopf: ['ephemeralvolumeclaims.kopf.dev', 'persistentvolumeclaims'],
  'java-operator-sdk': [
    'webpages.sample.javaoperatorsdk',
    'configmaps',
    'deployments.apps',
    'services',
    'ingresses.networking.k8s.io',
  ],
  'kube-rs': ['configmapgenerators.nullable.se', 'configmaps'],
  'client-node': ['namespaces'],
};

/** A claim can be resized once it is bound, to a volume of a class that allows it. */
export const STORAGE_CLASS = {
  apiVersion: 'storage.k8s.io/v1',
  kind: 'StorageClass',
  metadata: { name: 'standard' },
  provisioner: 'kubernetes.io/no-provisioner',
  allowVolumeExpansion: true,
};
export const VOLUME = {
  apiVersion: 'v1',
  kind: 'PersistentVolume',
  metadata: { name: 'disk' },
  spec: {
    storageClassName: 'standard',
    capacity: { storage: '10G' },
    accessModes: ['ReadWriteOnce'],
    hostPath: { path: '/disk' },
  },
};

export function recordingPath(page: string): string {
  return join(import.meta.dirname, 'recordings', `${page}.json`);
}

export function readRecording(page: string): Recording {
  return JSON.parse(readFileSync(recordingPath(page), 'utf8')) as Recording;
}

/** Returns whether a command of a page changes objects. */
export function isChange(command: string): boolean {
  return /^kubectl (?!get |wait )/.test(command);
}

/**
 * Reads the objects of namespace `default`, without what differs between two runs of the same operator: times, uids,
 * addresses, resource versions and field managers are left out or replaced. Objects that are equal then, such as the Jobs of two
 * runs, count once.
 */
export async function statesIn(
  { kubectl, kubeconfig }: { readonly kubectl: string; readonly kubeconfig: string },
  resources: readonly string[],
): Promise<unknown[]> {
  const args = ['--kubeconfig', kubeconfig, 'get', resources.join(','), '--namespace', 'default', '--output', 'json'];
  const { stdout } = await promisify(execFile)(kubectl, args, { maxBuffer: 1 << 26 });
  const { items } = JSON.parse(stdout) as { readonly items: readonly Named[] };
  const own = items.filter(({ kind, metadata }) => !OF_THE_CLUSTER.has(`${kind}/${metadata.name}`));
  return [...new Set(own.map(canonicalText))].toSorted().map((text) => JSON.parse(text) as unknown);
}

interface Named {
  readonly kind: string;
  readonly metadata: { readonly name: string };
}

/** The objects that each cluster has in namespace `default`. */
const OF_THE_CLUSTER = new Set(['ConfigMap/kube-root-ca.crt', 'Service/kubernetes']);
const OMITTED = new Set(['uid', 'resourceVersion', 'creationTimestamp', 'managedFields', 'generation']);
const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';

function canonicalText(object: unknown): string {
  return JSON.stringify(sorted(object))
    .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g, '<time>')
    .replaceAll(/[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g, '<uid>')
    .replaceAll(/-\d{10}\b/g, '-<seconds>')
    .replaceAll(/"nodePort":\d+/g, '"nodePort":"<port>"')
    .replaceAll(/"\d+\.\d+\.\d+\.\d+"/g, '"<address>"');
}

/** Returns the value with sorted keys, and without what is omitted, empty or the text of an applied file. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value)
    .filter(([key]) => !OMITTED.has(key) && key !== LAST_APPLIED)
    .map(([key, member]) => [key, sorted(member)] as const)
    .filter(([, member]) => typeof member !== 'object' || member === null || Object.keys(member).length > 0);
  return Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

interface State {
  readonly metadata: { readonly annotations?: Readonly<Record<string, string>> };
  readonly status?: {
    readonly observedGeneration?: number;
    readonly conditions?: readonly { readonly type: string; readonly status: string; readonly reason?: string }[];
    readonly create_fn?: { readonly 'pvc-name': string };
  };
}

/**
 * Returns the states without what an operator stores for itself: the annotations of kopf, which writes the result of a
 * handler to a field with the name of the handler, and of kindwright, and the texts and the order of conditions.
 */
export function comparable(objects: readonly unknown[]): unknown[] {
  return (objects as readonly State[]).map(({ metadata, status, ...rest }) => {
    const { create_fn: created, conditions, observedGeneration: _, ...otherStatus } = status ?? {};
    const annotations = Object.entries(metadata.annotations ?? {}).filter(
      ([name]) => !/^(?:kopf|kindwright)\./.test(name),
    );
    return sorted({
      ...rest,
      metadata: { ...metadata, annotations: Object.fromEntries(annotations) },
      status: {
        ...otherStatus,
        ...(created && { pvcName: created['pvc-name'] }),
        conditions: conditions
          ?.map(({ type, status, reason }) => ({ type, status, reason }))
          .toSorted((a, b) => a.type.localeCompare(b.type)),
      },
    });
  });
}

/** What an original does differently after a command, with the reason; the pages state it too. */
const DIFFERENCES: readonly { page: string; command: RegExp; original: string; here: string; reason: string }[] = [
  {
    page: 'kubebuilder',
    command: /suspend/,
    original: '{"reason":"Reconciling","status":"Unknown","type":"Progressing"}',
    here: '{"reason":"NoJobsActive","status":"False","type":"Progressing"}',
    reason: 'the conversion of the tutorial does not copy conditions, so a write in v2 removes them',
  },
  {
    page: 'operator-sdk',
    command: /apply|patch/,
    original: ',"app.kubernetes.io/version":"1.6.26-alpine3.19"}},"strategy"',
    here: '}},"strategy"',
    reason: 'a selector cannot be changed, so the Deployment could not get another image',
  },
  {
    page: 'java-operator-sdk',
    command: /apply|patch/,
    original: '"labels":{"managed":"true"},',
    here: '',
    reason: 'the informers of the sample select their objects by a label',
  },
  {
    page: 'java-operator-sdk',
    command: /apply|patch/,
    original: '"finalizers":["webpages.sample.javaoperatorsdk/finalizer"],',
    here: '',
    reason: 'the clean-up of the sample does nothing',
  },
  {
    page: 'java-operator-sdk',
    command: /apply|patch/,
    original: '{"apiVersion":"sample.javaoperatorsdk/v1","kind":"WebPage","name"',
    here: '{"apiVersion":"sample.javaoperatorsdk/v1","blockOwnerDeletion":true,"controller":true,"kind":"WebPage","name"',
    reason: 'the owner references of the sample are not those of a controller',
  },
  {
    page: 'kube-rs',
    command: /apply|patch|configmap/,
    original: '"controller":true,',
    here: '"blockOwnerDeletion":true,"controller":true,',
    reason: 'a deletion in the foreground does not wait for the objects of the example',
  },
  {
    page: 'kopf',
    command: /owner-|patch/,
    original: ',"owner":"me"',
    here: '',
    reason: 'the first form of relabel in the walkthrough leaves removed labels on the claim; the second one fails',
  },
];

/** Returns the states that the recorded step leads to here. */
export function expectedStates(page: string, { command, objects }: RecordedStep): unknown[] {
  let text = JSON.stringify(comparable(objects));
  for (const { original, here } of DIFFERENCES.filter((each) => each.page === page && each.command.test(command))) {
    if (!text.includes(original)) throw new Error(`${page}: ${command}: the recording does not contain ${original}`);
    text = text.replaceAll(original, here);
  }
  return JSON.parse(text) as unknown[];
}

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Binaries, BinaryName } from './binaries.ts';

/** In the order of their start. */
export const PARTS = ['etcd', 'apiserver', 'controller-manager', 'scheduler', 'kwok'] as const;

export type PartName = (typeof PARTS)[number];

export interface Ports {
  readonly etcd: number;
  readonly etcdPeer: number;
  readonly apiserver: number;
}

/** The arguments of a part, besides those that all clusters share. */
export interface PartSettings {
  readonly binaries: Binaries;
  readonly dir: string;
  readonly ports: Ports;
  readonly kubeconfig: string;
  readonly apiserverArgs: readonly string[];
  /** Whether kwok plays the nodes. Default: false. */
  readonly playsNodes?: boolean;
}

const PROGRAMS: Readonly<Record<PartName, BinaryName>> = {
  etcd: 'etcd',
  apiserver: 'kube-apiserver',
  'controller-manager': 'kube-controller-manager',
  scheduler: 'kube-scheduler',
  kwok: 'kwok',
};

const ARGUMENTS: Readonly<Record<PartName, (settings: PartSettings) => string[]>> = {
  etcd: etcdArguments,
  apiserver: apiserverArguments,
  'controller-manager': controllerManagerArguments,
  scheduler: ({ kubeconfig }) => [`--kubeconfig=${kubeconfig}`, ...AS_ONE_OF_ONE],
  kwok: kwokArguments,
};

export function commandLine(part: PartName, settings: PartSettings): { command: string; args: string[] } {
  return { command: settings.binaries[PROGRAMS[part]], args: ARGUMENTS[part](settings) };
}

/** No leader election, no server, and no client-side throttling that would delay a test. */
const AS_ONE_OF_ONE = ['--leader-elect=false', '--secure-port=0', '--kube-api-qps=500', '--kube-api-burst=1000'];

function etcdArguments({ dir, ports }: PartSettings): string[] {
  const client = `http://127.0.0.1:${String(ports.etcd)}`;
  const peer = `http://127.0.0.1:${String(ports.etcdPeer)}`;
  return [
    `--data-dir=${join(dir, 'etcd')}`,
    '--unsafe-no-fsync',
    '--log-level=error',
    `--listen-client-urls=${client}`,
    `--advertise-client-urls=${client}`,
    `--listen-peer-urls=${peer}`,
    `--initial-advertise-peer-urls=${peer}`,
    `--initial-cluster=default=${peer}`,
  ];
}

function apiserverArguments({ dir, ports, apiserverArgs }: PartSettings): string[] {
  const pki = (name: string): string => join(dir, 'pki', name);
  return [
    `--etcd-servers=http://127.0.0.1:${String(ports.etcd)}`,
    `--secure-port=${String(ports.apiserver)}`,
    '--bind-address=127.0.0.1',
    '--advertise-address=127.0.0.1',
    '--endpoint-reconciler-type=none',
    `--tls-cert-file=${pki('apiserver.crt')}`,
    `--tls-private-key-file=${pki('apiserver.key')}`,
    `--client-ca-file=${pki('ca.crt')}`,
    '--authorization-mode=RBAC',
    `--service-account-key-file=${pki('sa.key')}`,
    `--service-account-signing-key-file=${pki('sa.key')}`,
    '--service-account-issuer=https://kubernetes.default.svc',
    '--service-cluster-ip-range=10.0.0.0/16',
    ...apiserverArgs,
  ];
}

/**
 * A node that kwok plays never becomes unreachable: on a busy machine its heartbeats can be late, and kwok does not make
 * the pods ready again that the controller-manager has marked as not ready.
 */
const PATIENT_WITH_NODES = '--node-monitor-grace-period=1h';

function controllerManagerArguments({ dir, kubeconfig, playsNodes }: PartSettings): string[] {
  return [
    ...(playsNodes === true ? [PATIENT_WITH_NODES] : []),
    `--kubeconfig=${kubeconfig}`,
    `--service-account-private-key-file=${join(dir, 'pki', 'sa.key')}`,
    `--root-ca-file=${join(dir, 'pki', 'ca.crt')}`,
    ...signingArguments(dir),
    '--controllers=*,-node-ipam-controller,-cloud-node-lifecycle-controller,-service-lb-controller',
    ...AS_ONE_OF_ONE,
  ];
}

/** With the key of the authority, it signs CertificateSigningRequests. */
function signingArguments(dir: string): string[] {
  const [cert, key] = ['ca.crt', 'ca.key'].map((name) => join(dir, 'pki', name));
  return existsSync(key!) ? [`--cluster-signing-cert-file=${cert!}`, `--cluster-signing-key-file=${key!}`] : [];
}

const STAGES = [
  'node/fast/node-initialize.yaml',
  'node/heartbeat/node-heartbeat.yaml',
  'pod/fast/pod-ready.yaml',
  'pod/fast/pod-complete.yaml',
  'pod/fast/pod-delete.yaml',
];

function kwokArguments({ binaries, kubeconfig }: PartSettings): string[] {
  const stages = STAGES.map((file) => `--config=${join(binaries.stages, file)}`);
  return [...stages, `--kubeconfig=${kubeconfig}`, '--manage-all-nodes=true', '--enable-crds='];
}

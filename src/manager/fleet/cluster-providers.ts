import { resolve } from 'node:path';
import { Secret } from '../../api/kinds/kinds.js';
import { keyOf } from '../../api/objects/object-key.js';
import type { KubeObject } from '../../api/objects/kube-object.js';
import { Clusters } from '../../client/clusters.js';
import type { Context } from '../../resource/context.js';
import { Controller } from '../../resource/decorators/controller.js';
import { Inject } from '../../resource/decorators/inject.js';
import { kindByName } from '../../resource/kind-by-name.js';
import { ObjectController } from '../../resource/object-controller.js';

/** The objects that describe the clusters of a fleet. */
export interface ClusterProviderOptions {
  /** Only these namespaces: the writers of objects in them decide which clusters the operator connects to. */
  readonly namespaces: readonly string[];
  /** Default: all objects of these namespaces. */
  readonly labelSelector?: string;
  /** The name of the controller in logs and metrics. Default `cluster-api-clusters` or `cluster-profiles`. */
  readonly name?: string;
}

/** A program that returns credentials for the clusters with an access provider: an entry of a provider file of KEP-5339. */
export interface ClusterAccessProvider {
  /** The name in `status.accessProviders` of the ClusterProfiles. */
  readonly name: string;
  /** The program, in the format of `exec` in a kubeconfig. */
  readonly execConfig: {
    readonly apiVersion: string;
    readonly command: string;
    readonly args?: readonly string[] | null;
    readonly env?: readonly { readonly name: string; readonly value: string }[] | null;
    /** Passes the cluster of the profile to the program, with its extension `client.authentication.k8s.io/exec`. */
    readonly provideClusterInfo?: boolean;
  };
}

/** Options of `clusterProfiles`. */
export interface ClusterProfileOptions extends ClusterProviderOptions {
  /** The first one that a ClusterProfile has is used. */
  readonly providers: readonly ClusterAccessProvider[];
}

/** A class that adds clusters to `manager.clusters`. */
export type ClusterProvider = new () => ObjectController<KubeObject>;

interface AccessOfProfile {
  readonly name: string;
  readonly cluster?: Readonly<Record<string, unknown>>;
}

interface ClusterProfile extends KubeObject {
  readonly status?: {
    readonly accessProviders?: readonly AccessOfProfile[];
    /** The name of `accessProviders` until 2025. */
    readonly credentialProviders?: readonly AccessOfProfile[];
  };
}

const ClusterProfile = kindByName<ClusterProfile>({
  group: 'multicluster.x-k8s.io',
  version: 'v1alpha1',
  kind: 'ClusterProfile',
});

const CLUSTER_NAME_LABEL = 'cluster.x-k8s.io/cluster-name';
/** The fields of a cluster in a kubeconfig without `certificate-authority`, which would read a file of this process. */
const CLUSTER_FIELDS = [
  'server',
  'certificate-authority-data',
  'tls-server-name',
  'insecure-skip-tls-verify',
  'proxy-url',
  'extensions',
];

/**
 * Returns a class that adds the workload clusters of Cluster API to `manager.clusters`, by their Secrets
 * `<cluster>-kubeconfig`. A cluster has the name `<namespace>/<cluster>`.
 *
 * Export the class from a module of the operator, or add it to the manager.
 *
 * @example
 * export const Members = clusterApiClusters({ namespaces: ['fleet'] });
 */
export function clusterApiClusters({
  namespaces,
  labelSelector = CLUSTER_NAME_LABEL,
  name = 'cluster-api-clusters',
}: ClusterProviderOptions): ClusterProvider {
  class ClusterApiCluster extends ObjectController<Secret> {
    readonly clusters!: Clusters;

    reconcile(): void {
      const { key, kubeconfig } = this;
      if (key !== undefined && kubeconfig !== undefined)
        this.clusters.setKubeconfig(key, Buffer.from(kubeconfig, 'base64').toString());
    }

    override deleted(): void {
      if (this.key !== undefined) this.clusters.remove(this.key);
    }

    private get kubeconfig(): string | undefined {
      return this.object.data?.['value'];
    }

    /** Undefined for the other Secrets of a cluster, such as its authorities. */
    private get key(): string | undefined {
      const { labels, name: secret, namespace } = this.object.metadata;
      const cluster = labels?.[CLUSTER_NAME_LABEL];
      return cluster !== undefined && secret === `${cluster}-kubeconfig` ? keyOf(cluster, namespace) : undefined;
    }
  }
  const cache = { namespaces, labelSelector, fieldSelector: 'type=cluster.x-k8s.io/secret' };
  Controller({ for: Secret, name, cache, sharding: false })(ClusterApiCluster);
  Inject(Clusters)(ClusterApiCluster.prototype, 'clusters');
  return ClusterApiCluster;
}

/**
 * Returns a class that adds the clusters of ClusterProfiles to `manager.clusters`, with the credentials of a program for
 * their access provider (KEP-4322 and KEP-5339). A cluster has the name `<namespace>/<profile>`.
 *
 * Export the class from a module of the operator, or add it to the manager.
 */
export function clusterProfiles({
  namespaces,
  labelSelector,
  name = 'cluster-profiles',
  providers,
}: ClusterProfileOptions): ClusterProvider {
  class ClusterProfileCluster extends ObjectController<ClusterProfile> {
    readonly clusters!: Clusters;

    reconcile(ctx: Context): void {
      const { accessProviders = [], credentialProviders = [] } = this.object.status ?? {};
      const offered = [...accessProviders, ...credentialProviders];
      const provider = providers.find((each) => offered.some((access) => access.name === each.name));
      const cluster = offered.find((access) => access.name === provider?.name)?.cluster;
      if (provider && cluster) {
        this.clusters.setKubeconfig(this.key, kubeconfigOf(cluster, provider), { allowExec: true });
        return;
      }
      const known = { offered: offered.map((access) => access.name), known: providers.map((each) => each.name) };
      ctx.log.info('The ClusterProfile has no known access provider', known);
      this.clusters.remove(this.key);
    }

    override deleted(): void {
      this.clusters.remove(this.key);
    }

    private get key(): string {
      return keyOf(this.object.metadata.name, this.object.metadata.namespace);
    }
  }
  const cache = { namespaces, ...(labelSelector !== undefined && { labelSelector }) };
  Controller({ for: ClusterProfile, name, cache, sharding: false })(ClusterProfileCluster);
  Inject(Clusters)(ClusterProfileCluster.prototype, 'clusters');
  return ClusterProfileCluster;
}

/** Returns the same text as long as the access to the cluster is the same. */
function kubeconfigOf(cluster: Readonly<Record<string, unknown>>, { execConfig }: ClusterAccessProvider): string {
  const { apiVersion, command, args, env, provideClusterInfo } = execConfig;
  const exec = {
    apiVersion,
    // A path in a kubeconfig is relative to its file.
    command: /[\\/]/.test(command) ? resolve(command) : command,
    args: args ?? [],
    env: env ?? [],
    interactiveMode: 'Never',
    provideClusterInfo: provideClusterInfo === true,
  };
  const fields = CLUSTER_FIELDS.filter((field) => Object.hasOwn(cluster, field)).map(
    (field) => [field, cluster[field]] as const,
  );
  return JSON.stringify({
    'current-context': 'profile',
    contexts: [{ name: 'profile', context: { cluster: 'profile', user: 'profile' } }],
    clusters: [{ name: 'profile', cluster: Object.fromEntries(fields) }],
    users: [{ name: 'profile', user: { exec } }],
  });
}

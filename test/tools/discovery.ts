import type { RunningControlPlane } from '../controlplane/start-control-plane.ts';

/** One resource of the API in one version, from discovery. */
export interface DiscoveredResource {
  readonly group: string;
  readonly version: string;
  readonly isPreferred: boolean;
  readonly kind: string;
  readonly plural: string;
  readonly scope: 'Namespaced' | 'Cluster';
  /** Singular and short names. */
  readonly otherNames: readonly string[];
}

interface GroupDiscoveryList {
  items: {
    metadata: { name?: string };
    versions: {
      version: string;
      resources: {
        resource: string;
        responseKind: { kind: string };
        scope: 'Namespaced' | 'Cluster';
        singularResource?: string;
        shortNames?: string[];
      }[];
    }[];
  }[];
}

const AGGREGATED = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';

/** Every resource the server serves; the server names a group's preferred version first. */
export async function discover(controlPlane: RunningControlPlane): Promise<DiscoveredResource[]> {
  const lists = await Promise.all(
    ['/api', '/apis'].map(async (path) => JSON.parse(await controlPlane.get(path, AGGREGATED)) as GroupDiscoveryList),
  );
  return lists.flatMap(({ items }) =>
    items.flatMap(({ metadata: { name: group = '' }, versions }) =>
      versions.flatMap(({ version, resources }, index) =>
        resources.map(({ resource: plural, responseKind: { kind }, scope, singularResource, shortNames = [] }) => {
          const otherNames = [singularResource ?? kind.toLowerCase(), ...shortNames];
          return { group, version, isPreferred: index === 0, kind, plural, scope, otherNames };
        }),
      ),
    ),
  );
}

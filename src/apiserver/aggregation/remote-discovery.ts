import { eachObject } from '../../base/json-object.js';
import { isJsonObject, objectAt, stringAt, type ApiObject, type JsonObject } from '../objects/api-object.js';
import type { RemoteAnswer, RemoteClient } from './remote-client.js';
import { documentPath } from './service-reference.js';

const AGGREGATED = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';

/** The resources of one version as reported by its server: an APIVersionDiscovery without its version. */
type VersionDiscovery = Readonly<{ resources?: readonly JsonObject[] }>;

/** The discovery data of one APIService. */
interface Known {
  readonly found: VersionDiscovery;
  readonly isCurrent: boolean;
  /** The entry of its version in the OpenAPI v3 index. */
  readonly openApi?: { readonly name: string; readonly entry: JsonObject } | undefined;
}

/** Caches the discovery documents of the servers behind APIServices for aggregated discovery and the OpenAPI index. */
export class RemoteDiscovery {
  private readonly known = new Map<string, Known>();

  constructor(private readonly client: RemoteClient) {}

  /** Requests the documents again; on failure the old data is kept and marked stale. */
  async refresh(apiService: ApiObject): Promise<void> {
    const { name } = apiService.metadata;
    const [found, openApi] = await Promise.all([
      this.fetch(apiService).catch(() => undefined),
      this.openApiEntry(apiService).catch(() => undefined),
    ]);
    this.known.set(name, {
      ...(found ? { found, isCurrent: true } : { ...this.entry(name), isCurrent: false }),
      openApi,
    });
  }

  forget(name: string): void {
    this.known.delete(name);
  }

  /** Returns the APIVersionDiscovery of an APIService. */
  version({ metadata, spec }: ApiObject): JsonObject {
    const { found, isCurrent } = this.entry(metadata.name);
    return {
      version: stringAt(objectAt({ spec }, 'spec'), 'version'),
      ...found,
      freshness: isCurrent ? 'Current' : 'Stale',
    };
  }

  /** The entries of other servers in the OpenAPI v3 index. */
  openApiPaths(): Record<string, JsonObject> {
    const paths: Record<string, JsonObject> = {};
    for (const { openApi } of this.known.values()) if (openApi) paths[openApi.name] = openApi.entry;
    return paths;
  }

  private entry(name: string): Known {
    return this.known.get(name) ?? { found: {}, isCurrent: false };
  }

  private async fetch(apiService: ApiObject): Promise<VersionDiscovery | undefined> {
    const answer = await this.client.get(apiService, '/apis', AGGREGATED);
    if (answer.code === 200 && answer.contentType.includes('as=APIGroupDiscoveryList')) return ours(answer, apiService);
    const legacy = await this.client.get(apiService, documentPath(apiService), 'application/json');
    return legacy.code === 200 ? { resources: fromResourceList(legacy) } : undefined;
  }

  private async openApiEntry(apiService: ApiObject): Promise<Known['openApi']> {
    const answer = await this.client.get(apiService, '/openapi/v3', 'application/json');
    const name = documentPath(apiService).slice(1);
    const entry = answer.code === 200 ? objectAt(JSON.parse(answer.text), 'paths')[name] : undefined;
    return isJsonObject(entry) ? { name, entry } : undefined;
  }
}

function ours({ text }: RemoteAnswer, { spec }: ApiObject): VersionDiscovery | undefined {
  const { group, version } = spec as { group: string; version: string };
  const { items } = JSON.parse(text) as JsonObject;
  const found = eachObject(items).find((item) => stringAt(objectAt(item, 'metadata'), 'name') === group);
  const {
    version: _,
    freshness: __,
    ...rest
  } = eachObject(found?.versions).find((each) => each.version === version) ?? {};
  return found && rest;
}

/**
 * Converts an APIResourceList to resources with nested subresources: ConvertGroupVersionIntoToDiscovery of apiserver.
 */
function fromResourceList({ text }: RemoteAnswer): JsonObject[] {
  const rows = eachObject((JSON.parse(text) as JsonObject).resources);
  const below = (name: string): JsonObject[] =>
    rows.flatMap((row) => {
      const [resource, subresource] = stringAt(row, 'name').split('/', 2);
      return resource === name && subresource !== undefined
        ? [{ subresource, responseKind: responseKind(row), verbs: row.verbs }]
        : [];
    });
  return rows
    .filter(({ name }) => typeof name === 'string' && !name.includes('/'))
    .map((row) => {
      const subresources = below(stringAt(row, 'name'));
      return {
        resource: row.name,
        responseKind: responseKind(row),
        scope: row.namespaced === true ? 'Namespaced' : 'Cluster',
        singularResource: row.singularName ?? '',
        verbs: row.verbs,
        ...(row.shortNames !== undefined && { shortNames: row.shortNames }),
        ...(row.categories !== undefined && { categories: row.categories }),
        ...(subresources.length > 0 && { subresources }),
      };
    });
}

function responseKind({ group = '', version = '', kind }: JsonObject): JsonObject {
  return { group, version, kind };
}

import { readFileSync } from 'node:fs';
import { brotliDecompressSync } from 'node:zlib';
import type { JsonObject } from '../objects/api-object.js';

/** A field of a Go struct; the keys are short because there are thousands of rows. */
export interface FieldRow {
  /** JSON name; empty for an inlined struct. */
  readonly n: string;
  /** Go type: `*int32`, `[]core/v1.Container`, `map[string]string`. */
  readonly t: string;
  /** The named type in Go's source, if it differs from `t`: `core/v1.ResourceList`. */
  readonly g?: string;
  /** Protobuf field number. */
  readonly p?: number;
  /** Bit 1: omitempty, bit 2: omitzero. */
  readonly o?: number;
  /** List type `map`, `set`, `atomic`; or `atomic` of a map or struct. */
  readonly l?: string;
  /** List map keys. */
  readonly k?: readonly string[];
  /** Default value. */
  readonly d?: unknown;
  /** Strategic merge patch: strategy and merge key. */
  readonly s?: string;
  readonly m?: string;
}

/** Go structs by name (`core/v1.Pod`). */
export type TypeTable = Readonly<Record<string, { readonly fields: readonly FieldRow[]; readonly atomic?: boolean }>>;

/** metav1.APIResource. */
export interface ApiResourceRow {
  readonly name: string;
  readonly singularName: string;
  readonly namespaced: boolean;
  readonly kind: string;
  readonly group?: string;
  readonly version?: string;
  readonly verbs: readonly string[];
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  readonly storageVersionHash?: string;
}

/** The discovery documents of the real server. */
export interface ResourceData {
  /** Items of the aggregated documents of /api and /apis. */
  readonly core: readonly JsonObject[];
  readonly groups: readonly JsonObject[];
  /** APIResourceList by path (`/apis/apps/v1`). */
  readonly lists: Readonly<
    Record<string, { readonly groupVersion: string; readonly resources: readonly ApiResourceRow[] }>
  >;
  readonly version: JsonObject;
}

/** metav1.TableColumnDefinition. */
export interface ColumnRow {
  readonly name: string;
  readonly type: string;
  readonly format: string;
  readonly description: string;
  readonly priority: number;
}

/** Documents of /openapi. */
export interface OpenApiData {
  readonly v2: JsonObject;
  readonly v3: Readonly<Record<string, JsonObject>>;
}

/** A role or binding that exists in every cluster from its start. */
export interface AccessObject extends JsonObject {
  readonly kind: 'ClusterRole' | 'ClusterRoleBinding' | 'Role' | 'RoleBinding';
  readonly apiVersion: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    /** Without times. */
    readonly managedFields: readonly JsonObject[];
  };
}

type Section = 'resources' | 'types' | 'internalTypes' | 'columns' | 'access' | 'openapi' | 'openapiProto';

/** Data about the Kubernetes API, generated from a real server; each section is decoded on first use. */
class DataFile {
  private bytes: Buffer | undefined;
  private readonly decoded = new Map<Section, unknown>();

  get resources(): ResourceData {
    return this.json('resources') as ResourceData;
  }

  get types(): TypeTable {
    return this.json('types') as TypeTable;
  }

  /** Go structs of the internal version by name (`core.PodSpec`), with Go field names. */
  get internalTypes(): TypeTable {
    return this.json('internalTypes') as TypeTable;
  }

  /** Table columns by kind: `apps/v1 Deployment`. */
  get columns(): Readonly<Partial<Record<string, readonly ColumnRow[]>>> {
    return this.json('columns') as Record<string, readonly ColumnRow[]>;
  }

  /** Roles and bindings that kube-apiserver creates at its start. */
  get access(): readonly AccessObject[] {
    return this.json('access') as AccessObject[];
  }

  get openApi(): OpenApiData {
    return this.json('openapi') as OpenApiData;
  }

  /** /openapi/v2 in protobuf, the only format that kubectl requests. */
  get openApiProto(): Buffer {
    return this.section('openapiProto');
  }

  private json(name: Section): unknown {
    if (!this.decoded.has(name)) this.decoded.set(name, JSON.parse(this.section(name).toString()));
    return this.decoded.get(name);
  }

  private section(name: Section): Buffer {
    this.bytes ??= readFileSync(new URL('kubernetes-1.36.bin', import.meta.url));
    const headerEnd = this.bytes.indexOf('\n');
    const lengths = JSON.parse(this.bytes.toString('utf8', 0, headerEnd)) as Record<string, number>;
    let start = headerEnd + 1;
    for (const [section, length] of Object.entries(lengths)) {
      if (section === name) return brotliDecompressSync(this.bytes.subarray(start, start + length));
      start += length;
    }
    throw new Error(`data file has no section ${name}`);
  }
}

export const kubernetesData = new DataFile();

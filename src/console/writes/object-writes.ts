import { apiVersionOf, resourcePath, type KindRef } from '../../api/kinds/kind-ref.js';
import type { KubeObject } from '../../api/objects/kube-object.js';
import { objectKey } from '../../api/objects/object-key.js';
import { PLACEHOLDER, processRedactor } from '../../api/access/redaction.js';
import { isJsonObject, type JsonObject } from '../../base/json-object.js';
import { thrownError } from '../../base/thrown-error.js';
import { parseYamlDocuments } from '../../base/yaml.js';
import { YamlPlaces } from '../../base/yaml-places.js';
import { ApiError } from '../../client/api-error.js';
import type { Client } from '../../client/client.js';
import type { CachedObject, CachedObjects } from '../cached-objects.js';
import { errorLine } from '../view/error-detail.js';
import { fieldChanges } from '../view/field-changes.js';
import { kindId, objectRef } from '../kind-id.js';
import { objectYaml } from '../view/object-detail.js';
import type { WriteDiagnostic, WriteOutcome } from '../wire.js';

const FIELD_MANAGER = 'kindwright-console';
const TIMEOUT_MS = 10_000;
/** Members that only the server sets. */
const OF_SERVER: ReadonlySet<string> = new Set([
  'managedFields',
  'creationTimestamp',
  'generation',
  'deletionTimestamp',
  'selfLink',
]);

/** Applies and deletes objects for a user of the console, with the validation of the API server. */
export class ObjectWrites {
  constructor(
    private readonly client: Client,
    private readonly objects: CachedObjects,
  ) {}

  /** Applies one object of a YAML text without force, or with `dryRun` only validates it. */
  async apply(text: string, dryRun: boolean): Promise<WriteOutcome> {
    const parsed = this.parse(text);
    if ('diagnostic' in parsed) return { ok: false, changes: [], diagnostics: [parsed.diagnostic] };
    const { kind, object } = parsed;
    const { name, namespace } = object.metadata;
    const path = resourcePath(kind, kind.scope === 'Namespaced' ? (namespace ?? 'default') : undefined, name);
    const query = { fieldManager: FIELD_MANAGER, fieldValidation: 'Strict', dryRun: dryRun ? 'All' : undefined };
    const contentType = 'application/apply-patch+yaml';
    const before = this.objects.get(kindId(kind), objectKey(object));
    try {
      const body = JSON.stringify(applied(object));
      const request = { method: 'PATCH', path, query, body, contentType, retries: 0, timeout: TIMEOUT_MS };
      const after = await this.client.request<KubeObject>(request);
      // Without the present object as a whole, the changes are unknown.
      const changes = before?.kind.part === undefined ? fieldChanges(kind, before?.object, after).changes : [];
      return { ok: true, yaml: objectYaml(kind, after), object: refOf(kind, after), changes, diagnostics: [] };
    } catch (error) {
      return { ok: false, changes: [], diagnostics: diagnosticsOf(thrownError(error), text) };
    }
  }

  /** Deletes the very object, or with `dryRun` only asks the server. */
  async delete({ kind, object }: CachedObject, dryRun: boolean): Promise<WriteOutcome> {
    const { name, namespace, uid } = object.metadata;
    const body = { preconditions: { uid }, propagationPolicy: 'Background', ...(dryRun && { dryRun: ['All'] }) };
    try {
      const path = resourcePath(kind, namespace, name);
      await this.client.request({ method: 'DELETE', path, body, retries: 0, timeout: TIMEOUT_MS });
      return { ok: true, object: refOf(kind, object), changes: [], diagnostics: [] };
    } catch (error) {
      return { ok: false, changes: [], diagnostics: diagnosticsOf(thrownError(error), '') };
    }
  }

  private parse(
    text: string,
  ): { readonly kind: KindRef; readonly object: ObjectText } | { readonly diagnostic: WriteDiagnostic } {
    const problem = (message: string, line?: number) => ({
      diagnostic: { level: 'error' as const, message, ...(line !== undefined && { line }) },
    });
    if (text.includes(PLACEHOLDER)) {
      const line = text.slice(0, text.indexOf(PLACEHOLDER)).split('\n').length;
      return problem('a redacted value cannot be written; replace it by the value, or remove the field', line);
    }
    let documents: unknown[];
    try {
      documents = parseYamlDocuments(text, 'the object');
    } catch (error) {
      const { message } = thrownError(error);
      const [, line] = /\((\d+):\d+\)/.exec(message) ?? [];
      return problem(processRedactor.text(message), line === undefined ? undefined : Number(line));
    }
    const [object] = documents;
    if (documents.length !== 1 || !isObject(object))
      return problem('expected one object with apiVersion, kind and metadata.name');
    const kind = this.kindOf(object);
    if (!kind) return problem(`${object.apiVersion} ${object.kind} is not a kind of this operator`);
    return { kind, object };
  }

  private kindOf({ apiVersion, kind }: KubeObject): KindRef | undefined {
    const known = [
      ...this.objects.controllers.map(({ item }): KindRef => item.model.kind),
      ...this.objects.informers.filter(({ cluster }) => cluster === undefined).map(({ item }) => item.kind),
    ];
    return known.find((ref) => ref.kind === kind && apiVersionOf(ref) === apiVersion);
  }
}

type ObjectText = KubeObject & JsonObject;

function isObject(value: unknown): value is ObjectText {
  if (!isJsonObject(value) || !isJsonObject(value['metadata'])) return false;
  return (
    typeof value['apiVersion'] === 'string' &&
    typeof value['kind'] === 'string' &&
    typeof value['metadata']['name'] === 'string'
  );
}

/** Without what the user cannot apply. */
function applied(object: ObjectText): JsonObject {
  const { status: _, metadata, ...rest } = object;
  const kept = Object.entries(metadata).filter(([name]) => !OF_SERVER.has(name));
  return { ...rest, metadata: Object.fromEntries(kept) };
}

function refOf(kind: KindRef, object: CachedObject['object']) {
  const { uid } = object.metadata;
  return objectRef(kindId(kind), objectKey(object), uid === undefined ? {} : { uid });
}

function diagnosticsOf(error: Error, text: string): WriteDiagnostic[] {
  const causes = error instanceof ApiError ? (error.details?.causes ?? []) : [];
  const found = causes.map(({ field, message = '' }): WriteDiagnostic => {
    const [, manager] = /conflict with "([^"]+)"/.exec(message) ?? [];
    return diagnostic(processRedactor.text(message), text, field?.replace(/^\./, ''), manager);
  });
  if (found.length > 0) return found;
  const unknown = [...error.message.matchAll(/(unknown|duplicate) field "([^"]+)"/g)];
  const undeclared = [...error.message.matchAll(/\.([\w.[\]"-]+): field not declared in schema/g)];
  if (undeclared.length > 0)
    return undeclared.map(([, path = '']) => diagnostic(`unknown field "${path}"`, text, path));
  if (unknown.length > 0) return unknown.map(([message, , path]) => diagnostic(message, text, path));
  return [{ level: 'error', message: errorLine(error) }];
}

function diagnostic(message: string, text: string, path?: string, manager?: string): WriteDiagnostic {
  const line = path === undefined ? undefined : new YamlPlaces(text).of(path)?.line;
  return {
    level: 'error',
    message,
    ...(path !== undefined && { path }),
    ...(line !== undefined && { line }),
    ...(manager !== undefined && { manager }),
  };
}

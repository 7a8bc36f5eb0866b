import { kubernetesData } from '../data/data-file.js';
import type { JsonObject } from '../objects/api-object.js';
import { messagesInTurn, partsInTurn } from './build-in-turn.js';
import { openApiMessages } from './openapi-messages.js';
import type { OpenApiParts, PublishedVersion } from './published-version.js';
import { metaSchemas, scaleSchemas } from './shared-schemas.js';

const HEAD = { openapi: '3.0.0', info: { title: 'Kubernetes CRD Swagger', version: 'v0.1.0' } };

/** Documents of built-in versions in the formats that clients have requested. */
const builtIn = { json: new Map<string, Buffer>(), protobuf: new Map<string, Buffer>() };
const messages = new WeakMap<PublishedVersion, Buffer>();

/** The formats of a document of OpenAPI. */
export type OpenApiFormat = keyof typeof builtIn;

/** Returns the v3 document of a built-in version: `api/v1`, `apis/apps/v1`. */
export function builtInDocument(name: string, format: OpenApiFormat): Buffer {
  let bytes = builtIn[format].get(name);
  if (!bytes) {
    const document = kubernetesData.openApi.v3[name];
    bytes = format === 'json' ? Buffer.from(JSON.stringify(document)) : openApiMessages.encode('Document', document);
    builtIn[format].set(name, bytes);
  }
  return bytes;
}

/** Returns the v3 document of versions of custom resources. */
export async function customDocument(versions: readonly PublishedVersion[], format: OpenApiFormat): Promise<Buffer> {
  const parts = await partsInTurn(versions, 'v3');
  if (format === 'json') return customJson(parts, sharedSchemas(versions));
  const head = { ...HEAD, components: { schemas: membersIn(sharedSchemas(versions).join(',')) } };
  const own = await messagesInTurn(versions, messages, encodeVersion);
  return Buffer.concat([openApiMessages.encode('Document', head), ...own]); // readers merge them
}

/** Returns the same document as an object. */
export function customDocumentObject(versions: readonly PublishedVersion[]): JsonObject {
  const parts = versions.map((version) => version.parts('v3'));
  return JSON.parse(customJson(parts, sharedSchemas(versions)).toString()) as JsonObject;
}

function sharedSchemas(versions: readonly PublishedVersion[]): string[] {
  return [metaSchemas(), ...(versions.some(({ hasScale }) => hasScale) ? [scaleSchemas()] : [])];
}

function customJson(parts: readonly OpenApiParts[], shared: readonly string[]): Buffer {
  return Buffer.concat([
    Buffer.from(`${JSON.stringify(HEAD).slice(0, -1)},"paths":{`),
    ...joined(parts.map(({ paths }) => paths)),
    Buffer.from('},"components":{"schemas":{'),
    ...joined([...shared.map((members) => Buffer.from(members)), ...parts.map(({ schemas }) => schemas)]),
    Buffer.from('}}}'),
  ]);
}

/** Puts commas between the members of a JSON object. */
export function joined(members: readonly Buffer[]): Buffer[] {
  return members.flatMap((each, index) => (index === 0 ? [each] : [Buffer.from(','), each]));
}

function encodeVersion(version: PublishedVersion): Buffer {
  const { paths, schemas } = version.parts('v3');
  const components = { schemas: membersIn(schemas.toString()) };
  return openApiMessages.encode('Document', { paths: membersIn(paths.toString()), components });
}

/** Parses the members of a JSON object. */
export function membersIn(text: string): JsonObject {
  return JSON.parse(`{${text}}`) as JsonObject;
}

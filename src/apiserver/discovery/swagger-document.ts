import { kubernetesData } from '../data/data-file.js';
import { without } from '../objects/api-object.js';
import { messagesInTurn, partsInTurn } from './build-in-turn.js';
import { joined, membersIn } from './openapi-document.js';
import type { OpenApiParts, PublishedVersion } from './published-version.js';
import { swaggerMessages } from './swagger-messages.js';

/** The built-in part of the document as JSON: what precedes the paths, and the members of its two objects. */
interface StaticParts extends OpenApiParts {
  readonly head: Buffer;
}

let staticJson: StaticParts | undefined;
let staticProto: Buffer | undefined;
const protos = new WeakMap<PublishedVersion, Buffer>();

/** Builds /openapi/v2 as JSON. */
export async function swaggerJson(versions: readonly PublishedVersion[]): Promise<Buffer> {
  staticJson ??= staticParts();
  const parts = [staticJson, ...(await partsInTurn(versions, 'v2'))];
  return Buffer.concat([
    staticJson.head,
    Buffer.from('"paths":{'),
    ...joined(parts.map(({ paths }) => paths)),
    Buffer.from('},"definitions":{'),
    ...joined(parts.map(({ schemas }) => schemas)),
    Buffer.from('}}'),
  ]);
}

/** Builds /openapi/v2 as protobuf, as a concatenation of messages that readers merge. */
export async function swaggerProto(versions: readonly PublishedVersion[]): Promise<Buffer> {
  staticProto ??= kubernetesData.openApiProto;
  const messages = await messagesInTurn(versions, protos, protoOf);
  return Buffer.concat([staticProto, ...messages]);
}

function staticParts(): StaticParts {
  const { v2 } = kubernetesData.openApi;
  const text = (value: unknown): Buffer => Buffer.from(JSON.stringify(value).slice(1, -1));
  const rest = text(without(v2, 'paths', 'definitions'));
  return { head: Buffer.from(`{${rest.toString()},`), paths: text(v2.paths), schemas: text(v2.definitions) };
}

function protoOf(version: PublishedVersion): Buffer {
  const { paths, schemas } = version.parts('v2');
  const document = { paths: membersIn(paths.toString()), definitions: membersIn(schemas.toString()) };
  return swaggerMessages.encode('Document', document);
}

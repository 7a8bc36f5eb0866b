import { createHash } from 'node:crypto';
import { kubernetesData } from '../data/data-file.js';
import { objectAt, without, type JsonObject } from '../objects/api-object.js';
import { json, type Outcome } from '../transport/response/outcome.js';
import { swaggerDefinitions } from './swagger-definitions.js';
import { swaggerPaths } from './swagger-paths.js';
import { definitionsProto } from './swagger-proto.js';
import { pathsProto } from './swagger-paths-proto.js';

/** OpenAPI of custom resources, by version path (`apis/example.com/v1`). */
export type CustomDocuments = () => ReadonlyMap<string, JsonObject>;

// requested with an @, which headers cannot contain
const PROTO = 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf';

/** Serves /openapi/v2 and /openapi/v3. */
export class OpenApi {
  constructor(
    private readonly custom: CustomDocuments,
    /** Returns the index entries of other servers' OpenAPI v3 documents. */
    private readonly remotePaths: () => Readonly<Record<string, JsonObject>>,
  ) {}

  serve(path: string, accept: string): Outcome | undefined {
    if (path === '/openapi/v2') return this.v2(accept);
    if (path === '/openapi/v3') return json(200, this.index());
    if (!path.startsWith('/openapi/v3/')) return undefined;
    const document = this.document(path.slice('/openapi/v3/'.length));
    return document && json(200, document);
  }

  /** Returns the v3 document of a version: `api/v1`, `apis/apps/v1`. */
  document(name: string): JsonObject | undefined {
    return this.custom().get(name) ?? kubernetesData.openApi.v3[name];
  }

  private v2(accept: string): Outcome {
    const { v2 } = kubernetesData.openApi;
    const documents = [...this.custom().values()];
    const schemas = documents.map(({ components }) => objectAt({ components }, 'components').schemas);
    const definitions = swaggerDefinitions(
      without(Object.assign({}, ...schemas) as JsonObject, ...Object.keys(objectAt(v2, 'definitions'))),
    );
    const given = Object.assign({}, ...documents.map(({ paths }) => paths)) as JsonObject;
    const paths = swaggerPaths(given, objectAt(v2, 'parameters'));
    if (!accept.includes('proto-openapi'))
      return json(200, {
        ...v2,
        paths: { ...objectAt(v2, 'paths'), ...paths },
        definitions: { ...objectAt(v2, 'definitions'), ...definitions },
      });
    const body = Buffer.concat([kubernetesData.openApiProto, definitionsProto(definitions), pathsProto(paths)]);
    return { type: 'text', code: 200, contentType: PROTO, body };
  }

  private index(): JsonObject {
    const paths: JsonObject = {};
    const add = (name: string, document: JsonObject): void => {
      const hash = createHash('sha512').update(JSON.stringify(document)).digest('hex').toUpperCase();
      paths[name] = { serverRelativeURL: `/openapi/v3/${name}?hash=${hash}` };
    };
    for (const name of Object.keys(kubernetesData.openApi.v3)) add(name, { name });
    for (const [name, document] of this.custom()) add(name, document);
    return { paths: { ...paths, ...this.remotePaths() } };
  }
}

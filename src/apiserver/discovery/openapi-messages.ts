import type { JsonObject } from '../objects/api-object.js';
import { MessageTable } from '../schema/message-table.js';
import { additionalProperties, namedEntries, withExtensions, yamlValue } from './document-values.js';

const METHODS =
  'get=4:Operation put=5:Operation post=6:Operation delete=7:Operation options=8:Operation head=9:Operation patch=10:Operation';
const NUMBERS =
  'multipleOf=10:double maximum=11:double exclusiveMaximum=12:bool minimum=13:double exclusiveMinimum=14:bool';
const LIMITS =
  'maxLength=15:int minLength=16:int pattern=17 maxItems=18:int minItems=19:int uniqueItems=20:bool maxProperties=21:int minProperties=22:int';
const JUNCTORS = 'allOf=26:SchemaOrReference[] oneOf=27:SchemaOrReference[] anyOf=28:SchemaOrReference[] not=29:Schema';
const MEMBERS =
  'items=30:ItemsItem properties=31:NamedSchemas additionalProperties=32:AdditionalPropertiesItem default=33:DefaultType';

/**
 * The messages of OpenAPI v3 that occur in documents of Kubernetes: openapiv3/OpenAPIv3.proto of gnostic. Maps are
 * lists of named values; `extensions` are the members with names that begin with x-.
 */
export const openApiMessages = new MessageTable(
  {
    Document: 'openapi=1 info=2:Info paths=4:Paths components=5:Components',
    Info: 'title=1 version=6',
    Paths: 'entries=1:NamedPathItem[]',
    NamedPathItem: 'name=1 value=2:PathItem',
    PathItem: `${METHODS} parameters=13:ParameterOrReference[]`,
    Operation:
      'tags=1:string[] summary=2 description=3 operationId=5 parameters=6:ParameterOrReference[] requestBody=7:RequestBodyOrReference responses=8:Responses deprecated=10:bool extensions=13:NamedAny[]',
    ParameterOrReference: 'own=1:Parameter reference=2:Reference',
    Parameter: 'name=1 in=2 description=3 required=4:bool schema=10:SchemaOrReference extensions=14:NamedAny[]',
    RequestBodyOrReference: 'own=1:RequestBody reference=2:Reference',
    RequestBody: 'description=1 content=2:MediaTypes required=3:bool',
    Responses: 'entries=2:NamedResponse[]',
    NamedResponse: 'name=1 value=2:ResponseOrReference',
    ResponseOrReference: 'own=1:Response reference=2:Reference',
    Response: 'description=1 content=3:MediaTypes',
    MediaTypes: 'entries=1:NamedMediaType[]',
    NamedMediaType: 'name=1 value=2:MediaType',
    MediaType: 'schema=1:SchemaOrReference',
    Components: 'schemas=1:NamedSchemas securitySchemes=7:NamedSecuritySchemes',
    NamedSchemas: 'entries=1:NamedSchema[]',
    NamedSchema: 'name=1 value=2:SchemaOrReference',
    NamedSecuritySchemes: 'entries=1:NamedSecurityScheme[]',
    NamedSecurityScheme: 'name=1 value=2:SecuritySchemeOrReference',
    SecuritySchemeOrReference: 'own=1:SecurityScheme reference=2:Reference',
    SecurityScheme: 'type=1 description=2 name=3 in=4',
    SchemaOrReference: 'own=1:Schema reference=2:Reference',
    Schema: `nullable=1:bool externalDocs=6:ExternalDocs example=7:Any title=9 ${NUMBERS} ${LIMITS} required=23:string[] enum=24:Any[] type=25 ${JUNCTORS} ${MEMBERS} description=34 format=35 extensions=36:NamedAny[]`,
    ItemsItem: 'schemas=1:SchemaOrReference[]',
    AdditionalPropertiesItem: 'schema=1:SchemaOrReference boolean=2:bool!',
    DefaultType: 'number=1:double! boolean=2:bool! string=3:string!',
    ExternalDocs: 'description=1 url=2',
    Reference: '$ref=1 description=3',
    NamedAny: 'name=1 value=2:Any',
    Any: 'yaml=2',
  },
  {
    Paths: namedEntries,
    Responses: namedEntries,
    MediaTypes: namedEntries,
    NamedSchemas: namedEntries,
    NamedSecuritySchemes: namedEntries,
    Operation: withExtensions,
    Parameter: withExtensions,
    Schema: withExtensions,
    ParameterOrReference: ownOrReference,
    RequestBodyOrReference: ownOrReference,
    ResponseOrReference: ownOrReference,
    SchemaOrReference: ownOrReference,
    SecuritySchemeOrReference: ownOrReference,
    ItemsItem: (schema: unknown) => ({ schemas: [schema] }),
    AdditionalPropertiesItem: additionalProperties,
    // Objects, lists and null have no message.
    DefaultType: (value: unknown) => ({ [typeof value]: value }),
    Any: yamlValue,
  },
);

function ownOrReference(value: JsonObject): JsonObject {
  return typeof value.$ref === 'string' ? { reference: value } : { own: value };
}

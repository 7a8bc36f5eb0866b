import type { JsonObject } from '../objects/api-object.js';
import { MessageTable } from '../schema/message-table.js';
import { additionalProperties, namedEntries, withExtensions, yamlValue } from './document-values.js';

const METHODS =
  'get=2:Operation put=3:Operation post=4:Operation delete=5:Operation options=6:Operation head=7:Operation patch=8:Operation';
const NUMBERS =
  'multipleOf=6:double maximum=7:double exclusiveMaximum=8:bool minimum=9:double exclusiveMinimum=10:bool';
const LIMITS =
  'maxLength=11:int minLength=12:int pattern=13 maxItems=14:int minItems=15:int uniqueItems=16:bool maxProperties=17:int minProperties=18:int';
const MEMBERS = 'additionalProperties=21:AdditionalPropertiesItem type=22:TypeItem items=23:ItemsItem';

/**
 * The messages of OpenAPI v2 that occur in documents of Kubernetes: openapiv2/OpenAPIv2.proto of gnostic. Maps are
 * lists of named values; `extensions` are the members with names that begin with x-.
 */
export const swaggerMessages = new MessageTable(
  {
    Document:
      'swagger=1 info=2:Info paths=8:Paths definitions=9:NamedSchemas parameters=10:NamedParameters security=12:SecurityRequirement[] securityDefinitions=13:SecurityDefinitions',
    Info: 'title=1 version=2',
    Paths: 'entries=2:NamedPathItem[]',
    NamedPathItem: 'name=1 value=2:PathItem',
    PathItem: `${METHODS} parameters=9:ParametersItem[]`,
    Operation:
      'tags=1:string[] summary=2 description=3 operationId=5 produces=6:string[] consumes=7:string[] parameters=8:ParametersItem[] responses=9:Responses schemes=10:string[] deprecated=11:bool extensions=13:NamedAny[]',
    ParametersItem: 'own=1:Parameter reference=2:Schema',
    NamedParameters: 'entries=1:NamedParameter[]',
    NamedParameter: 'name=1 value=2:Parameter',
    Parameter: 'body=1:BodyParameter other=2:NonBodyParameter',
    BodyParameter: 'description=1 name=2 in=3 required=4:bool schema=5:Schema',
    NonBodyParameter: 'query=3:QueryParameter path=4:PathParameter',
    QueryParameter: 'required=1:bool in=2 description=3 name=4 type=6 format=7 uniqueItems=20:bool',
    PathParameter: 'required=1:bool in=2 description=3 name=4 type=5 format=6 uniqueItems=19:bool',
    Responses: 'entries=1:NamedResponse[]',
    NamedResponse: 'name=1 value=2:ResponseValue',
    ResponseValue: 'response=1:Response',
    Response: 'description=1 schema=2:SchemaItem',
    SchemaItem: 'schema=1:Schema',
    NamedSchemas: 'entries=1:NamedSchema[]',
    NamedSchema: 'name=1 value=2:Schema',
    Schema: `$ref=1 format=2 title=3 description=4 default=5:Any ${NUMBERS} ${LIMITS} required=19:string[] enum=20:Any[] ${MEMBERS} allOf=24:Schema[] properties=25:NamedSchemas externalDocs=29:ExternalDocs example=30:Any extensions=31:NamedAny[]`,
    AdditionalPropertiesItem: 'schema=1:Schema boolean=2:bool!',
    TypeItem: 'types=1:string[]',
    ItemsItem: 'schemas=1:Schema[]',
    ExternalDocs: 'description=1 url=2',
    SecurityRequirement: 'entries=1:NamedScopes[]',
    NamedScopes: 'name=1 value=2:Scopes',
    Scopes: 'scopes=1:string[]',
    SecurityDefinitions: 'entries=1:NamedSecurityDefinition[]',
    NamedSecurityDefinition: 'name=1 value=2:SecurityDefinition',
    SecurityDefinition: 'apiKey=2:ApiKey',
    ApiKey: 'type=1 name=2 in=3 description=4',
    NamedAny: 'name=1 value=2:Any',
    Any: 'yaml=2',
  },
  {
    Paths: namedEntries,
    Responses: namedEntries,
    NamedSchemas: namedEntries,
    Operation: withExtensions,
    Schema: withExtensions,
    ParametersItem: (value: JsonObject) => (value.$ref === undefined ? { own: value } : { reference: value }),
    Parameter: (value: JsonObject) => (value.in === 'body' ? { body: value } : { other: value }),
    NonBodyParameter: (value: JsonObject) => (value.in === 'path' ? { path: value } : { query: value }),
    ResponseValue: (response: JsonObject) => ({ response }),
    SchemaItem: (schema: JsonObject) => ({ schema }),
    AdditionalPropertiesItem: additionalProperties,
    TypeItem: (type: unknown) => ({ types: [type] }),
    ItemsItem: (schema: unknown) => ({ schemas: [schema] }),
    Any: yamlValue,
  },
);

/** The version of OpenAPI that a document is written in. */
export type OpenApiVersion = 'v2' | 'v3';

/** Members of JSON objects as text, without the braces, to be joined with those of other resources. */
export interface OpenApiParts {
  readonly paths: Buffer;
  /** The components of version 3, the definitions of version 2. */
  readonly schemas: Buffer;
}

/** A served version of a custom resource in the documents of OpenAPI. */
export interface PublishedVersion {
  /** The name of the document of OpenAPI v3: `apis/example.com/v1`. */
  readonly document: string;
  /** Identifies the content: two versions with one revision have equal parts. */
  readonly revision: string;
  readonly hasScale: boolean;
  isBuilt(openApi: OpenApiVersion): boolean;
  /** Builds the parts on the first call for each version of OpenAPI. */
  parts(openApi: OpenApiVersion): OpenApiParts;
}

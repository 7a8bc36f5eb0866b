import { arrayAt, isJsonObject, objectAt, stringAt } from '../../src/base/json-object.js';

/** A difference that the comparison of documents does not count. */
export interface DocumentException {
  readonly why: string;
  readonly documents: RegExp;
  /** Removes what differs from a document. */
  readonly normalize: (document: unknown) => unknown;
}

/** Everything in which the documents of the two servers may differ. */
const DOCUMENT_EXCEPTIONS: readonly DocumentException[] = [
  {
    why: 'each server has its own address',
    documents: /^\/api$/,
    normalize: (document) => ({
      ...(document as object),
      serverAddressByClientCIDRs: arrayAt(document, 'serverAddressByClientCIDRs').map((each) => ({
        ...(each as object),
        serverAddress: '<address>',
      })),
    }),
  },
  {
    why: 'the hash of a document depends on the order of its members, and here on the identity of its definitions',
    documents: /^\/openapi\/v3$/,
    normalize: (document) => ({
      paths: Object.fromEntries(
        Object.entries(objectAt(document, 'paths')).map(([name, entry]) => [
          name,
          stringAt(entry, 'serverRelativeURL').replace(/hash=[0-9A-F]{128}$/, 'hash=<hash>'),
        ]),
      ),
    }),
  },
  {
    why: 'the real server lists the resources of definitions in the order of a Go map',
    documents: /^\/apis\/[^/]+\/[^/]+$/,
    normalize: (document) => ({
      ...(document as object),
      resources: arrayAt(document, 'resources').toSorted((a, b) =>
        stringAt(a, 'name') < stringAt(b, 'name') ? -1 : 1,
      ),
    }),
  },
];

/** Returns a document without the differences that do not count. */
export function normalizedDocument(name: string, document: unknown): unknown {
  const exceptions = DOCUMENT_EXCEPTIONS.filter(({ documents }) => documents.test(name));
  return isJsonObject(document)
    ? exceptions.reduce<unknown>((value, { normalize }) => normalize(value), document)
    : document;
}

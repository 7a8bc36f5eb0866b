import { parseYaml } from '../../src/base/yaml.js';
import { goPackage } from '../../src/apiserver/schema/go-package.js';
import { decodeProtobuf } from '../../src/apiserver/schema/protobuf.js';

const PROTOBUF = 'application/vnd.kubernetes.protobuf';
const META_KINDS = ['Status', 'PartialObjectMetadata', 'PartialObjectMetadataList'];

/** A body as a value, whatever it is written in; what cannot be read is text. */
export function replyBody(bytes: Buffer, contentType: string): unknown {
  const text = bytes.toString();
  try {
    if (contentType.startsWith(PROTOBUF)) return withoutEmpty(decodeProtobuf(bytes, structOf));
    return contentType.startsWith('application/yaml') ? parseYaml(text, 'reply') : JSON.parse(text);
  } catch {
    return text;
  }
}

function structOf(apiVersion: string, kind: string): string {
  return `${META_KINDS.includes(kind) ? 'meta/v1' : goPackage(apiVersion)}.${kind}`;
}

/** Returns the value without members that a server may either write or omit. */
function withoutEmpty(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutEmpty);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([name, member]) => [name, withoutEmpty(member)] as const);
  return Object.fromEntries(members.filter(([, member]) => !isEmpty(member)));
}

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === '' || value === 0 || value === false) return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}

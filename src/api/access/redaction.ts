import { createHmac, randomBytes } from 'node:crypto';
import type { FieldPath } from '../../base/changed-fields.js';
import { isJsonObject } from '../../base/json-object.js';
import type { KindRef } from '../kinds/kind-ref.js';

/** kubectl's copy of the applied object, which holds the data of a Secret too. */
const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';

/** Member names from the root of an object; `*` is any member or item. */
export type SecretPath = readonly string[];

type KindName = Pick<KindRef, 'group' | 'kind'>;

const OF_SECRETS: readonly SecretPath[] = [
  ['data', '*'],
  ['stringData', '*'],
  ['metadata', 'annotations', LAST_APPLIED],
];

/** Private keys, tokens of HTTP authentication, JSON web tokens, and passwords in URLs. */
const SECRET_TEXT = new RegExp(
  [
    String.raw`-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)`,
    String.raw`(?<=\b(?:bearer|basic)\s+)[\w.~+/-]{8,}=*`,
    String.raw`\beyJ[\w-]{5,}\.[\w-]+\.[\w-]*`,
    String.raw`(?<=:\/\/[^\s/:@]*:)[^\s/@]+(?=@)`,
  ].join('|'),
  'gi',
);

/**
 * Replaces secrets by `‹redacted 1f9a3c07›`: the data of Secrets, fields with `format: password`, and private keys and tokens
 * in any text.
 *
 * The number is a hash with a random key, so that equal secrets remain equal and a change is visible, but no secret can be
 * guessed from it.
 */
export class Redactor {
  private readonly paths = new Map<string, readonly SecretPath[]>([
    [nameOf({ group: '', kind: 'Secret' }), OF_SECRETS],
  ]);
  private key: Uint8Array | undefined;

  /** Adds fields of a kind that are secret. */
  addKind(kind: KindName, paths: readonly SecretPath[]): void {
    if (paths.length === 0) return;
    const all = [...paths, ['metadata', 'annotations', LAST_APPLIED]];
    const present = this.paths.get(nameOf(kind)) ?? [];
    this.paths.set(nameOf(kind), [...new Map([...present, ...all].map((path) => [path.join('\0'), path])).values()]);
  }

  /** Returns a copy of a JSON value at a path of an object. */
  redact(kind: KindName, value: unknown, path: FieldPath = []): unknown {
    const secrets = this.paths.get(nameOf(kind)) ?? [];
    return this.copy(value, path, secrets);
  }

  /** Returns a text with its tokens and keys replaced. */
  text(text: string): string {
    return text.replace(SECRET_TEXT, (secret) => this.placeholder(secret));
  }

  private copy(value: unknown, path: FieldPath, secrets: readonly SecretPath[]): unknown {
    if (value !== undefined && value !== null && secrets.some((secret) => isAt(path, secret)))
      return this.placeholder(typeof value === 'string' ? value : JSON.stringify(value));
    if (typeof value === 'string') return this.text(value);
    if (Array.isArray(value)) return value.map((item, index) => this.copy(item, [...path, index], secrets));
    if (!isJsonObject(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [name, this.copy(member, [...path, name], secrets)]),
    );
  }

  private placeholder(secret: string): string {
    if (secret.startsWith(PLACEHOLDER)) return secret;
    this.key ??= randomBytes(32);
    return `${PLACEHOLDER}${createHmac('sha256', this.key).update(secret).digest('hex').slice(0, 8)}›`;
  }
}

/** The beginning of the text that replaces a secret. */
export const PLACEHOLDER = '‹redacted ';

/** Hashes of the log and of the console are those of one process, so that they can be compared. */
export const processRedactor = new Redactor();

function nameOf({ group, kind }: KindName): string {
  return `${group}/${kind}`;
}

/** Returns whether a path is that of a secret, or of a part of it. */
function isAt(path: FieldPath, secret: SecretPath): boolean {
  return secret.length <= path.length && secret.every((name, index) => name === '*' || name === String(path[index]));
}

import { goQuoted } from '../../base/go-quoted.js';

const BROKEN_ESCAPE = /%(?![0-9a-fA-F]{2}).{0,2}/su;

/** What Go's net/url says of a part of a URI with an escape that is none. */
export function escapeProblem(text: string): string | undefined {
  const [escape] = BROKEN_ESCAPE.exec(text) ?? [];
  return escape === undefined ? undefined : `invalid URL escape ${goQuoted(escape)}`;
}

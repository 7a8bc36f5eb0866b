import { OperatorError } from '../../base/operator-error.js';
import type { UserInfo } from '../../apiserver/objects/user-info.js';
import { readFlagFile } from './read-flag-file.js';

/** A field of CSV: in quotes, doubled where they are meant, or bare. */
const FIELD = /(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g;

/**
 * Users by their tokens, as `--token-auth-file` has them: token, name, uid, and groups in quotes.
 *
 * @throws OperatorError naming the file, when a line of it has fewer than three columns.
 */
export function readTokenFile(path: string): Map<string, UserInfo> {
  const users = new Map<string, UserInfo>();
  for (const line of readFlagFile('--token-auth-file', path).split(/\r?\n/)) {
    if (line === '') continue;
    const fields = [...line.matchAll(FIELD)].map(([, quoted, bare = '']) => quoted?.replaceAll('""', '"') ?? bare);
    const [token = '', name = '', uid, groups] = fields;
    if (uid === undefined) throw tooFewColumns(path, fields.length);
    if (token === '') continue;
    users.set(token, { name, uid, groups: [...(groups?.split(',') ?? []), 'system:authenticated'] });
  }
  return users;
}

function tooFewColumns(path: string, found: number): OperatorError {
  return new OperatorError(
    `token file '${path}' must have at least 3 columns (token, user name, user uid), found ${found}`,
    { code: 'E_TOKEN_FILE', hint: 'write a line for each token: token,name,uid,"group,group"' },
  );
}

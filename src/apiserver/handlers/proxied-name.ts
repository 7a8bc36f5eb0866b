import { goQuoted } from '../../base/go-quoted.js';
import { badRequest } from '../errors/status-error.js';

/**
 * The name in what a proxy is asked for: `name`, `name:port` or `scheme:name:port`.
 *
 * @throws StatusError when it is none of them.
 */
export function proxiedName(plural: string, text: string): string {
  const parts = text.split(':');
  const [scheme = '', name] = parts.length === 3 ? parts : ['', parts[0]];
  if (parts.length <= 3 && name && /^(https?)?$/.test(scheme)) return name;
  throw badRequest(`invalid ${plural.slice(0, -1)} request ${goQuoted(text)}`);
}

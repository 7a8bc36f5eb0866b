import { ConfigError } from './config-error.js';

/**
 * The API server's address; `origin` says where it was found. Without a scheme it is HTTPS.
 *
 * @throws ConfigError when it is no address of a server.
 */
export function parseServer(text: string, origin: string): URL {
  const url = URL.parse(text.includes('://') ? text : `https://${text}`);
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:')) {
    throw new ConfigError(`${origin} is not the address of a server: ${JSON.stringify(text)}`, {
      hint: 'use https://host:port',
    });
  }
  if (url.username !== '' || url.password !== '') {
    throw new ConfigError(`${origin} must not contain a user or password`, { hint: 'put them into the user entry' });
  }
  url.search = '';
  url.hash = '';
  return url;
}

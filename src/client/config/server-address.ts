import { ConfigError } from './config-error.js';

/**
 * Parses the address of an API server, by default with HTTPS. `origin` is the source of the address, for messages.
 *
 * @throws ConfigError if the address is invalid.
 */
export function parseServer(text: string, origin: string): URL {
  const url = URL.parse(text.includes('://') ? text : `https://${text}`);
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:')) {
    throw new ConfigError(`${origin} is not a valid server address: ${JSON.stringify(schemeAndHost(text))}`, {
      hint: 'use https://host:port',
    });
  }
  if (url.username !== '' || url.password !== '') {
    throw new ConfigError(`${origin} must not contain a user or password`, {
      hint: 'move them to the user entry of the kubeconfig',
    });
  }
  url.search = '';
  url.hash = '';
  return url;
}

/** The parts of an address that contain no credentials. */
function schemeAndHost(text: string): string {
  const [, scheme = '', host = ''] = /^([a-z][a-z\d+.-]*:\/\/)?(?:.*@)?([^/?#]*)/is.exec(text) ?? [];
  return scheme + host;
}

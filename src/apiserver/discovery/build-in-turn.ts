import { setImmediate } from 'node:timers/promises';
import type { OpenApiParts, OpenApiVersion, PublishedVersion } from './published-version.js';

/** Returns the parts of each version; other requests are served before each that is built for the first time. */
export async function partsInTurn(
  versions: readonly PublishedVersion[],
  openApi: OpenApiVersion,
): Promise<OpenApiParts[]> {
  const all: OpenApiParts[] = [];
  for (const version of versions) {
    if (!version.isBuilt(openApi)) await setImmediate();
    all.push(version.parts(openApi));
  }
  return all;
}

/** Returns the message of each version in the same way; `known` keeps them. */
export async function messagesInTurn(
  versions: readonly PublishedVersion[],
  known: WeakMap<PublishedVersion, Buffer>,
  encode: (version: PublishedVersion) => Buffer,
): Promise<Buffer[]> {
  const all: Buffer[] = [];
  for (const version of versions) {
    let message = known.get(version);
    if (!message) {
      await setImmediate();
      known.set(version, (message = encode(version)));
    }
    all.push(message);
  }
  return all;
}

import { assertCalled, metadataKey, prependMetadata } from '../metadata.js';

export const DESCRIPTION = metadataKey<string>('description');

/** Sets the description of a class in place of its doc comment, which plain JavaScript does not provide. */
export function Description(text: string): (target: abstract new (...args: never[]) => object) => void {
  assertCalled(DESCRIPTION, text);
  return (target) => {
    prependMetadata(DESCRIPTION, target, text);
  };
}

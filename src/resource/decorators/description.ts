import { metadataKey, prependMetadata } from '../metadata.js';

export const DESCRIPTION = metadataKey<string>('description');

/** Describes a class where its doc comment cannot: in plain JavaScript, or when the comment says something else. */
export function Description(text: string): (target: abstract new (...args: never[]) => object) => void {
  return (target) => {
    prependMetadata(DESCRIPTION, target, text);
  };
}

import { randomNumber } from '../../base/random.js';
/** Without vowels, so that no words are generated, and without digits that look like letters. */
const ALPHABET = 'bcdfghjklmnpqrstvwxz2456789';
const SUFFIX_LENGTH = 5;
const MAX_BASE_LENGTH = 63 - SUFFIX_LENGTH;

/** Returns a name for `metadata.generateName` as the API server does: the base, truncated to fit, and five random characters. */
export function generatedName(base: string, random: () => number = () => randomNumber('generated name')): string {
  let name = base.slice(0, MAX_BASE_LENGTH);
  for (let count = 0; count < SUFFIX_LENGTH; count++) name += ALPHABET.charAt(Math.floor(random() * ALPHABET.length));
  return name;
}

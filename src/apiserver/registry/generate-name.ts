import { randomBytes } from 'node:crypto';
import type { Resource } from '../resources/resource.js';

/** Without vowels, so that no words are generated, and without digits that look like letters. */
const ALPHABET = 'bcdfghjklmnpqrstvwxz2456789';
const SUFFIX_LENGTH = 5;
const MAX_BASE_LENGTH = 63 - SUFFIX_LENGTH;

/** Generates a name by the rules of the kind, or by the common rules. */
export function newNameOf({ strategy }: Resource, base: string): string {
  return strategy.generateName?.(base) ?? generatedName(base);
}

/** The base, truncated to fit, followed by five random characters. */
export function generatedName(base: string): string {
  return base.slice(0, MAX_BASE_LENGTH) + randomSuffix(SUFFIX_LENGTH);
}

function randomSuffix(length: number): string {
  let suffix = '';
  for (const byte of randomBytes(length)) suffix += ALPHABET.charAt(byte % ALPHABET.length);
  return suffix;
}

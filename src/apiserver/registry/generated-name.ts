import { randomBytes } from 'node:crypto';
import type { Resource } from '../resources/resource.js';

/** No vowels, so that no word comes out; no digits that look like letters. */
const ALPHABET = 'bcdfghjklmnpqrstvwxz2456789';
const SUFFIX_LENGTH = 5;
const MAX_BASE_LENGTH = 63 - SUFFIX_LENGTH;

/** A name for an object that gives `generateName` alone. */
export function newNameOf({ strategy }: Resource, base: string): string {
  return strategy.generateName?.(base) ?? generatedName(base);
}

/** A name for `generateName`: the base, cut to fit, and five random characters. */
export function generatedName(base: string): string {
  return base.slice(0, MAX_BASE_LENGTH) + randomSuffix(SUFFIX_LENGTH);
}

function randomSuffix(length: number): string {
  let suffix = '';
  for (const byte of randomBytes(length)) suffix += ALPHABET.charAt(byte % ALPHABET.length);
  return suffix;
}

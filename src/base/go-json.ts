import { stringifyJson } from './json.js';

/** Formats a value as Go's encoding/json: JSON with HTML characters escaped. */
export function goJson(value: unknown): string {
  return escapeHtml(stringifyJson(value ?? null));
}

/** Escapes the characters of JSON text that have a meaning in HTML. */
export function escapeHtml(json: string): string {
  return json.replace(/[<>&\u2028\u2029]/g, (character) => {
    const code = character.charCodeAt(0).toString(16).padStart(4, '0');
    return `\\u${code}`;
  });
}

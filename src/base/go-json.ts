import { stringifyJson } from './json.js';

/** How encoding/json writes a value: as JSON does, with HTML's characters escaped. */
export function goJson(value: unknown): string {
  return escapeHtml(stringifyJson(value ?? null));
}

/** JSON text with the characters that mean something in HTML escaped. */
export function escapeHtml(json: string): string {
  return json.replace(/[<>&\u2028\u2029]/g, (character) => {
    const code = character.charCodeAt(0).toString(16).padStart(4, '0');
    return `\\u${code}`;
  });
}

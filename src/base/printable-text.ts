const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

/**
 * Returns a text without control characters other than tabs and line feeds. Texts of API servers, of definitions and of
 * objects may contain escape sequences, which could rewrite the screen or the title of a terminal.
 */
export function printableText(text: string): string {
  return text.replace(CONTROL, '');
}

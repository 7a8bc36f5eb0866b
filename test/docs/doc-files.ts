import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..', '..');

/** The code of a page: fences of the language that are whole modules, without the indentation of a list they stand in. */
export function modulesOf(page: string, language = 'ts'): string[] {
  const text = readFileSync(join(root, page), 'utf8');
  const fences = [...text.matchAll(new RegExp(`^( *)\`\`\`${language}\\n([\\s\\S]*?)^ *\`\`\`$`, 'gm'))];
  const codes = fences.map(([, indent = '', code = '']) => code.replaceAll(new RegExp(`^${indent}`, 'gm'), ''));
  return codes.filter((code) => /^(import|export) /.test(code));
}

/** The one module of the page that contains the text. */
export function moduleWith(page: string, text: string, language = 'ts'): string {
  const found = modulesOf(page, language).filter((code) => code.includes(text));
  if (found.length !== 1) throw new Error(`${String(found.length)} modules of ${page} contain ${text}`);
  return found[0] ?? '';
}

/** Ends a line within a cell. */
export const LINE_BREAK = { isBreak: true } as const;

/** A part of a line. */
export type Inline =
  string | { readonly code: string } | { readonly text: string; readonly to: string } | { readonly isBreak: true };

/** A paragraph, table or other part of a document; texts are plain, without any markup. */
export type Block =
  | { readonly kind: 'heading'; readonly level: 1 | 2 | 3; readonly id: string; readonly text: string }
  | { readonly kind: 'paragraph'; readonly inlines: readonly Inline[] }
  | { readonly kind: 'list'; readonly items: readonly (readonly Inline[])[] }
  | {
      readonly kind: 'table';
      readonly head: readonly string[];
      readonly rows: readonly (readonly (readonly Inline[])[])[];
    }
  | { readonly kind: 'code'; readonly language: string; readonly text: string };

/** A page, independent of its format. */
export interface Document {
  readonly title: string;
  readonly blocks: readonly Block[];
}

/** The parts of a text in which backticks mark code, as in comments. */
export function inlinesOf(text: string): Inline[] {
  return text.split(/(`[^`\n]+`)/).flatMap((part): Inline[] => {
    if (part === '') return [];
    return /^`[^`]+`$/.test(part) ? [{ code: part.slice(1, -1) }] : [part];
  });
}

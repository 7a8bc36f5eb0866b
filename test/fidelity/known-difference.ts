import type { ComparedCall, ComparedWatch } from './comparison-report.js';

/** What the embedded server does otherwise than the real one, and why that is so. Entries match as little as they can. */
export interface KnownDifference {
  readonly why: string;
  /** Whether a run may well do without: it depends on the seconds and on Go's maps. */
  readonly isByChance?: boolean;
  matches?(compared: ComparedCall): boolean;
  matchesWatch?(compared: ComparedWatch): boolean;
}

interface Cause {
  readonly field?: string;
  readonly message: string;
}

interface Body {
  readonly message?: string;
  readonly details?: { readonly causes?: readonly Cause[] };
}

const bodyOf = (reply: ComparedCall['real']): Body => reply.body ?? {};
export const messageOf = (reply: ComparedCall['real']): string => bodyOf(reply).message ?? '';
const causesOf = (reply: ComparedCall['real']): readonly Cause[] => bodyOf(reply).details?.causes ?? [];
export const haveCode = ({ ours, real }: ComparedCall, code: number): boolean =>
  ours.code === code && real.code === code;

/** Whether both servers found the same causes, in any order; `textOf` says what counts of one. */
export function sameCauses({ ours, real }: ComparedCall, textOf: (cause: Cause) => string): boolean {
  const texts = (reply: ComparedCall['real']): string => causesOf(reply).map(textOf).filter(Boolean).sort().join('\n');
  return texts(ours) === texts(real);
}

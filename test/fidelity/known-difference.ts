import type { ComparedCall, ComparedWatch } from './comparison-report.js';

/**
 * A known difference between the embedded and the real server, with the reason. An entry should match as few responses as
 * possible.
 */
export interface KnownDifference {
  readonly why: string;
  /** Whether a run may well do without: it depends on the seconds and on Go's maps. */
  readonly isByChance?: boolean;
  matches?(compared: ComparedCall): boolean;
  matchesWatch?(compared: ComparedWatch): boolean;
}

interface Body {
  readonly message?: string;
}

const bodyOf = (reply: ComparedCall['real']): Body => reply.body ?? {};
export const messageOf = (reply: ComparedCall['real']): string => bodyOf(reply).message ?? '';
export const haveCode = ({ ours, real }: ComparedCall, code: number): boolean =>
  ours.code === code && real.code === code;

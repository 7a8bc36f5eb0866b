import type { ComparedCall, ComparedWatch } from './comparison-report.js';

/** What the embedded server does otherwise than the real one, and why that is so. Entries match as little as they can. */
export interface KnownDifference {
  readonly why: string;
  matches?(compared: ComparedCall): boolean;
  matchesWatch?(compared: ComparedWatch): boolean;
}

const messageOf = ({ body }: ComparedCall['real']): string => String((body as { message?: unknown } | null)?.message);

export const knownDifferences: readonly KnownDifference[] = [
  {
    why: 'the real server names more of what pods get from admission plugins; the comparison runs without ServiceAccount',
    matches: ({ title, call, real }) =>
      title === 'scenario' && call.method === 'POST' && call.path.includes('/pods?') && real.code === 201,
  },
  {
    why: 'the real server stops at the first undeclared field it comes to, in the order of a Go map, which is none',
    matches: ({ ours, real }) =>
      [ours, real].every(
        (reply) => reply.code === 500 && messageOf(reply).startsWith('failed to create typed patch'),
      ) && messageOf(ours).includes('field not declared in schema'),
  },
];

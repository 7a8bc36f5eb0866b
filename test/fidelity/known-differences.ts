import { haveCode, messageOf, type KnownDifference } from './known-difference.js';

/** Where the servers differ, and why; next to nothing the embedded one could do about it: the real one does not do the same twice. */
export const knownDifferences: readonly KnownDifference[] = [
  {
    isByChance: true,
    why: 'the real server stops at the first undeclared field it comes to, in the order of a Go map, which is none',
    matches: (compared) =>
      haveCode(compared, 500) &&
      messageOf(compared.real).startsWith('failed to create typed patch') &&
      messageOf(compared.ours).includes('field not declared in schema'),
  },
  {
    isByChance: true,
    why: 'a refused patch is quoted with managedFields in the order of their times, and each server has seconds of its own',
    matches: (compared) => {
      const [ours, real] = [messageOf(compared.ours), messageOf(compared.real)];
      return (
        haveCode(compared, 422) && real.startsWith(' "" is invalid: patch: ') && lettersOf(ours) === lettersOf(real)
      );
    },
  },
  {
    isByChance: true,
    why: 'the real server crashes, as on a reference whose name is no string, and closes the connection',
    matches: ({ real }) => real.code === 0,
  },
  {
    isByChance: true,
    why: 'a write that changes nothing is told when it moves managedFields in the order of their times, in seconds',
    matchesWatch: ({ isSameNews }) => isSameNews,
  },
  {
    isByChance: true,
    why: 'what such a write gives of their times counts only where it moves them, in seconds of each server',
    matches: ({ found }) => found.every((difference) => /\.managedFields\.\d+\.time: /.test(difference)),
  },
  {
    isByChance: true,
    why: 'of several values of a Secret that are none, the real server names the first it comes to in a Go map',
    matches: (compared) =>
      compared.title === 'Secret' &&
      haveCode(compared, 400) &&
      [compared.ours, compared.real].every((reply) => messageOf(reply).includes('cannot be handled as a Secret: ')),
  },
  {
    isByChance: true,
    why: 'open: of schemas that are no objects an apply tells what the converter says, and not what they say themselves',
    matches: (compared) =>
      compared.title === 'CustomResourceDefinition' &&
      [compared.ours, compared.real].every((reply) => messageOf(reply).includes('unable to convert unstructured')),
  },
  {
    isByChance: true,
    why: 'the real server tells of new scheduling gates in the order of a Go map, which is none',
    matches: (compared) => {
      const [ours, real] = [messageOf(compared.ours), messageOf(compared.real)];
      return haveCode(compared, 422) && real.includes('new scheduling gate') && lettersOf(ours) === lettersOf(real);
    },
  },
];

function lettersOf(text: string): string {
  return Array.from(text).sort().join('');
}

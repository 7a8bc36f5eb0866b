import { haveCode, messageOf, sameCauses, type KnownDifference } from './known-difference.js';
import { knownKindDifferences } from './known-kind-differences.js';

/** Nothing the server could do about it: the real one does not do the same twice. */
const UNDETERMINED: readonly KnownDifference[] = [
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
    why: 'the real server crashes on a reference whose name is no string, and closes the connection',
    matches: ({ real }) => real.code === 0,
  },
  {
    isByChance: true,
    why: 'a write that changes nothing is told when it moves managedFields in the order of their times, in seconds',
    matchesWatch: ({ isSameNews }) => isSameNews,
  },
  {
    isByChance: true,
    why: 'the keys of a ConfigMap are validated in the order of a Go map, which is none',
    matches: (compared) =>
      compared.title === 'ConfigMap' && haveCode(compared, 422) && sameCauses(compared, JSON.stringify),
  },
];

function lettersOf(text: string): string {
  return Array.from(text).sort().join('');
}

/** Open gaps that show in the replies of many kinds. */
const SHARED: readonly KnownDifference[] = [
  {
    why: 'open: what cannot be merged is refused in other words than the real server has for the object it makes of it',
    matches: (compared) =>
      haveCode(compared, 500) && /^failed to (convert|create manager)/.test(messageOf(compared.real)),
  },
  {
    why: 'open: entries of managedFields that came by another version of a custom resource',
    matches: ({ title, found }) =>
      title === 'CRD Versioned' && found.every((line) => line.startsWith('.body.metadata.managedFields.')),
  },
];

export const knownDifferences: readonly KnownDifference[] = [...UNDETERMINED, ...SHARED, ...knownKindDifferences];

import { haveCode, sameCauses, type KnownDifference } from './known-difference.js';

const haveFound = (found: readonly string[], what: RegExp): boolean => found.every((line) => what.test(line));

/** Open gaps of single kinds. */
export const knownKindDifferences: readonly KnownDifference[] = [
  {
    why: 'open: a Service whose ports are refused for their names is told of their node ports too',
    matches: (compared) =>
      compared.title === 'Service' &&
      haveCode(compared, 422) &&
      sameCauses(compared, ({ field = '', message }) => (/\.nodePort$/.test(field) ? '' : message)),
  },
  {
    why: 'open: an applied configuration that owns a list no more leaves it empty, where the real server drops it',
    matches: ({ title, found }) =>
      title === 'CRD Listed' &&
      haveFound(found, /^\.body\.(spec|metadata\.managedFields\.\d+\.fieldsV1\.f:spec): .*, real absent$/),
  },
  {
    isByChance: true,
    why: 'open: the metadata of a DaemonSet alone tells of its template’s generation, and who set it',
    matches: ({ title, found }) =>
      title === 'DaemonSet' && found.some((line) => line.includes('deprecated.daemonset.template.generation')),
  },
];

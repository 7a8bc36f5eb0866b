import { causesOf, haveCode, messageOf, sameCauses, type KnownDifference } from './known-difference.js';

const haveFound = (found: readonly string[], what: RegExp): boolean => found.every((line) => what.test(line));

/** Open gaps of single kinds. */
export const knownKindDifferences: readonly KnownDifference[] = [
  {
    why: 'open: webhooks given as an empty list move the generation where there were none',
    matches: ({ title, found }) =>
      title === 'ValidatingWebhookConfiguration' && haveFound(found, /^\.body\.metadata\.generation: /),
  },
  {
    why: 'open: a Node’s podCIDR does not come back when an apply sets another field',
    matches: ({ title, found }) => title === 'Node' && haveFound(found, /^\.body\.spec\.podCIDR: embedded absent/),
  },
  {
    why: 'open: a Service whose status write gives a target port of 0 keeps its managedFields',
    matches: ({ title, call, found }) =>
      title === 'Service' &&
      call.path.includes('/status') &&
      haveFound(found, /^\.body\.metadata\.managedFields: .*, real absent$/),
  },
  {
    why: 'open: an immutable ConfigMap may be given an empty binaryData',
    matches: (compared) =>
      compared.title === 'ConfigMap' &&
      haveCode(compared, 422) &&
      causesOf(compared.real).length === causesOf(compared.ours).length + 1 &&
      causesOf(compared.real).some(({ field }) => field === 'binaryData'),
  },
  {
    why: 'open: a Job is not told that its template changed where it may not, besides its other mistakes',
    matches: (compared) =>
      compared.title === 'Job' &&
      haveCode(compared, 422) &&
      sameCauses(compared, ({ field, message }) => (field === 'spec.template.spec' ? '' : message).trim()),
  },
  {
    why: 'open: a DaemonSet’s template generation is none of its managedFields’',
    matches: ({ title, found }) =>
      title === 'DaemonSet' && haveFound(found, /^\.body\.metadata\.managedFields\.\d+\.fieldsV1\.f:metadata/),
  },
  {
    why: 'open: the table of PersistentVolumeClaims shows another capacity of claims that lost theirs',
    matches: ({ title, found }) =>
      title === 'PersistentVolumeClaim' && haveFound(found, /^\.body\.rows\.\d+\.cells\.3: /),
  },
  {
    why: 'open: a Pod that was bound differs in generation, conditions and managedFields',
    matches: ({ title, found }) =>
      title === 'Pod' &&
      haveFound(
        found,
        /^\.body\.(?:items\.\d+\.)?(metadata\.(generation|managedFields|deletion\w+)|status\.conditions|spec\.nodeName)/,
      ),
    matchesWatch: ({ title, found }) =>
      title === 'Pod' && haveFound(found, /^\.\d+\.object\.(metadata\.(generation|managedFields)|status\.conditions)/),
  },
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
    why: 'open: an empty list or map is taken for none before it is validated, and quoted as none',
    matches: (compared) =>
      ['DaemonSet', 'PersistentVolumeClaim', 'PersistentVolume', 'Job'].includes(compared.title) &&
      haveCode(compared, 422) &&
      messageOf(compared.ours).includes('null') &&
      /\[\]|\{\}/.test(messageOf(compared.real)),
  },
  {
    isByChance: true,
    why: 'open: the metadata of a DaemonSet alone tells of its template’s generation, and who set it',
    matches: ({ title, found }) =>
      title === 'DaemonSet' && found.some((line) => line.includes('deprecated.daemonset.template.generation')),
  },
];

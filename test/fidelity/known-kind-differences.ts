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
    why: 'open: a Service without a name is refused for its name, not for the address it is then refused',
    matches: (compared) =>
      compared.title === 'Service' &&
      haveCode(compared, 422) &&
      messageOf(compared.real).includes('failed to allocate IP') &&
      messageOf(compared.ours).includes('metadata.name: Required value'),
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
    why: 'open: the status of a PersistentVolume does not tell when its phase was written',
    matches: ({ title, found }) =>
      title === 'PersistentVolume' && haveFound(found, /^\.body\.status\.lastPhaseTransitionTime: embedded absent/),
  },
  {
    why: 'open: the table of PersistentVolumeClaims shows a capacity that a claim does not have',
    matches: ({ title, found }) =>
      title === 'PersistentVolumeClaim' && haveFound(found, /^\.body\.rows\.\d+\.cells\.3: .* real ""$/),
  },
  {
    why: 'open: a PersistentVolumeClaim without a class may be given one',
    matches: ({ title, ours, real }) => title === 'PersistentVolumeClaim' && ours.code === 422 && real.code === 200,
  },
  {
    why: 'open: a Pod that was bound differs in generation, conditions and managedFields',
    matches: ({ title, found }) =>
      title === 'Pod' &&
      haveFound(found, /^\.body\.(metadata\.(generation|managedFields|deletion\w+)|status\.conditions|spec\.nodeName)/),
  },
];

import { eachObject, isJsonObject, type JsonObject } from '../../objects/api-object.js';
import { capabilitiesOf, checkProcMount } from './baseline-checks.js';
import {
  containersOf,
  contextOf,
  hasOwnUsers,
  isWindows,
  named,
  namesOf,
  plural,
  quotedNames,
  settersOf,
  sorted,
  type PodCheck,
  type VersionedCheck,
} from './pod-check.js';
import { checkSeccompSet } from './profile-checks.js';

const checkEscalation: PodCheck = ({ spec }) => {
  const bad = containersOf(spec).filter((container) => contextOf(container).allowPrivilegeEscalation !== false);
  const detail = `${named('container', namesOf(bad))} must set securityContext.allowPrivilegeEscalation=false`;
  return bad.length === 0 ? undefined : { reason: 'allowPrivilegeEscalation != false', detail };
};

const checkCapabilities: PodCheck = ({ spec }) => {
  const isBad = (name: string): boolean => name !== 'NET_BIND_SERVICE';
  const all = containersOf(spec);
  const keeping = all.filter((container) => !capabilitiesOf(container, 'drop').includes('ALL'));
  const adding = all.filter((container) => capabilitiesOf(container, 'add').some(isBad));
  const added = sorted(adding.flatMap((container) => capabilitiesOf(container, 'add').filter(isBad)));
  const details = [
    ...(keeping.length > 0
      ? [`${named('container', namesOf(keeping))} must set securityContext.capabilities.drop=["ALL"]`]
      : []),
    ...(adding.length > 0
      ? [
          `${named('container', namesOf(adding))} must not include ${quotedNames(added)} in securityContext.capabilities.add`,
        ]
      : []),
  ];
  return details.length === 0 ? undefined : { reason: 'unrestricted capabilities', detail: details.join('; ') };
};

const VOLUMES = new Set(
  'configMap csi downwardAPI emptyDir ephemeral image persistentVolumeClaim projected secret'.split(' '),
);

const checkVolumes: PodCheck = ({ spec }) => {
  const typeOf = (volume: JsonObject): string =>
    Object.keys(volume).find((field) => field !== 'name' && isJsonObject(volume[field])) ?? 'unknown';
  const bad = eachObject(spec.volumes).filter((volume) => !VOLUMES.has(typeOf(volume)));
  const types = sorted(bad.map(typeOf));
  const use = bad.length === 1 ? 'uses' : 'use';
  const detail = `${named('volume', namesOf(bad))} ${use} ${plural('restricted volume type', types.length)} ${quotedNames(types)}`;
  return bad.length === 0 ? undefined : { reason: 'restricted volume types', detail };
};

const checkNonRoot: PodCheck = ({ spec }) => {
  const reason = 'runAsNonRoot != true';
  const setters = settersOf(spec, ({ runAsNonRoot }) => runAsNonRoot === false);
  if (setters.length > 0)
    return { reason, detail: `${setters.join(' and ')} must not set securityContext.runAsNonRoot=false` };
  if (contextOf(spec).runAsNonRoot === true) return undefined;
  const unset = containersOf(spec).filter((container) => contextOf(container).runAsNonRoot !== true);
  if (unset.length === 0) return undefined;
  return { reason, detail: `pod or ${named('container', namesOf(unset))} must set securityContext.runAsNonRoot=true` };
};

const checkUser: PodCheck = ({ spec }) => {
  const setters = settersOf(spec, ({ runAsUser }) => runAsUser === 0);
  return setters.length === 0
    ? undefined
    : { reason: 'runAsUser=0', detail: `${setters.join(' and ')} must not set runAsUser=0` };
};

const unlessWindows =
  (check: PodCheck): PodCheck =>
  (pod) =>
    isWindows(pod.spec) ? undefined : check(pod);
const unlessOwnUsers =
  (check: PodCheck): PodCheck =>
  (pod) =>
    hasOwnUsers(pod.spec) ? undefined : check(pod);

/** The restricted checks of the Pod Security Standards beyond the baseline, ordered by name. */
export const RESTRICTED: readonly VersionedCheck[] = [
  {
    id: 'allowPrivilegeEscalation',
    versions: [
      [8, checkEscalation],
      [25, unlessWindows(checkEscalation)],
    ],
  },
  {
    id: 'capabilities_restricted',
    overrides: 'capabilities_baseline',
    versions: [
      [22, checkCapabilities],
      [25, unlessWindows(checkCapabilities)],
    ],
  },
  { id: 'procMount_restricted', overrides: 'procMount', versions: [[35, checkProcMount]] },
  { id: 'restrictedVolumes', overrides: 'hostPathVolumes', versions: [[0, checkVolumes]] },
  {
    id: 'runAsNonRoot',
    versions: [
      [0, checkNonRoot],
      [35, unlessOwnUsers(checkNonRoot)],
    ],
  },
  {
    id: 'runAsUser',
    versions: [
      [23, checkUser],
      [35, unlessOwnUsers(checkUser)],
    ],
  },
  {
    id: 'seccompProfile_restricted',
    overrides: 'seccompProfile_baseline',
    versions: [
      [19, checkSeccompSet],
      [25, unlessWindows(checkSeccompSet)],
    ],
  },
];

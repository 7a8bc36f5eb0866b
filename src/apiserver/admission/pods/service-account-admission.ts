import { keyOf } from '../../../api/objects/object-key.js';
import { eachObject, objectAt, stringAt, type ApiObject, type JsonObject } from '../../objects/api-object.js';
import type { ObjectStore } from '../../storage/object-store.js';
import { generatedName } from '../../../api/objects/generated-name.js';
import { isNew, refused, type AdmissionAttributes } from '../../registry/admission.js';
import type { AdmissionPlugin } from '../admission-plugin.js';

const MOUNT_PATH = '/var/run/secrets/kubernetes.io/serviceaccount';
const TOKEN_SECONDS = 3607;

/** Sets the service account of pods: its name, its image pull secrets, and a volume with its token. */
export class ServiceAccountAdmission implements AdmissionPlugin {
  readonly name = 'ServiceAccount';

  constructor(private readonly store: ObjectStore) {}

  mutate(request: AdmissionAttributes): ApiObject {
    const { object } = request;
    if (!isNew(request, 'pods') || isMirror(object)) return object;
    const own = objectAt(object, 'spec');
    const name = stringAt(own, 'serviceAccountName') || 'default';
    const { namespace = '' } = object.metadata;
    const account = this.store.get('serviceaccounts', keyOf(name, namespace))?.object;
    if (!account) {
      const why = `error looking up service account ${namespace}/${name}: serviceaccount "${name}" not found`;
      throw refused(request, why);
    }
    const spec = { ...own, serviceAccountName: name, serviceAccount: name, ...pullSecrets(own, account) };
    return { ...object, spec: shouldMount(own, account) ? withToken(spec) : spec };
  }
}

/** Returns whether a pod mirrors a static pod; these are not changed. */
function isMirror({ metadata }: ApiObject): boolean {
  return metadata.annotations?.['kubernetes.io/config.mirror'] !== undefined;
}

function pullSecrets(spec: JsonObject, account: ApiObject): JsonObject {
  const inherited = eachObject(account.imagePullSecrets);
  if (inherited.length === 0 || eachObject(spec.imagePullSecrets).length > 0) return {};
  return { imagePullSecrets: inherited.map(({ name }) => ({ name })) };
}

/** Returns whether to mount the token: set by the pod, else by the account; default true. */
function shouldMount(spec: JsonObject, account: ApiObject): boolean {
  return (spec.automountServiceAccountToken ?? account.automountServiceAccountToken ?? true) === true;
}

/** Returns the spec with the token mounted in each container that has no other volume at its path. */
function withToken(spec: JsonObject): JsonObject {
  const present = eachObject(spec.volumes).map((volume) => stringAt(volume, 'name'));
  const name = present.find((volume) => volume.startsWith('kube-api-access-')) ?? generatedName('kube-api-access-');
  const [containers, initContainers] = [eachObject(spec.containers), eachObject(spec.initContainers)];
  if ([...containers, ...initContainers].every(isTaken)) return spec;
  const mounted = (container: JsonObject): JsonObject =>
    isTaken(container)
      ? container
      : {
          ...container,
          volumeMounts: [...eachObject(container.volumeMounts), { name, readOnly: true, mountPath: MOUNT_PATH }],
        };
  return {
    ...spec,
    containers: containers.map(mounted),
    ...(initContainers.length > 0 && { initContainers: initContainers.map(mounted) }),
    ...(!present.includes(name) && { volumes: [...eachObject(spec.volumes), tokenVolume(name)] }),
  };
}

function isTaken({ volumeMounts }: JsonObject): boolean {
  return eachObject(volumeMounts).some(({ mountPath }) => mountPath === MOUNT_PATH);
}

function tokenVolume(name: string): JsonObject {
  const namespace = { path: 'namespace', fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.namespace' } };
  const sources = [
    { serviceAccountToken: { expirationSeconds: TOKEN_SECONDS, path: 'token' } },
    { configMap: { name: 'kube-root-ca.crt', items: [{ key: 'ca.crt', path: 'ca.crt' }] } },
    { downwardAPI: { items: [namespace] } },
  ];
  return { name, projected: { sources, defaultMode: 420 } };
}

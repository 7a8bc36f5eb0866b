import { type JsonObject, eachObject, isJsonObject, numberAt, objectAt, stringAt } from '../../objects/api-object.js';
import { containerResources } from '../../objects/container-resources.js';
import { toJson } from '../../objects/resource-list.js';
import { setDefaults } from '../../objects/set-defaults.js';
import { defaultVolumeSource } from '../volume-source-defaults.js';

const PAGES = 'hugepages-';
const DEFAULT_MODE = 0o644;
const MODED_VOLUMES = ['secret', 'configMap', 'downwardAPI', 'projected'];
const VOLUME_SOURCES_START = 1; // a volume has a name and one source

/** Sets the defaults of a pod template's spec like core/v1. */
export function defaultPodSpec(spec: JsonObject): void {
  setDefaults(spec, {
    restartPolicy: 'Always',
    terminationGracePeriodSeconds: 30,
    dnsPolicy: 'ClusterFirst',
    securityContext: {},
    schedulerName: 'default-scheduler',
  });
  if (spec.serviceAccountName === undefined && spec.serviceAccount !== undefined)
    spec.serviceAccountName = spec.serviceAccount;
  if (spec.serviceAccountName !== undefined) spec.serviceAccount = spec.serviceAccountName;
  eachObject(spec.volumes).forEach(defaultVolume);
  const containers = [
    ...eachObject(spec.initContainers),
    ...eachObject(spec.containers),
    ...eachObject(spec.ephemeralContainers),
  ];
  containers.forEach(defaultContainer);
}

/** Sets the defaults of a pod, including those that templates do not have. */
export function defaultPod(pod: JsonObject): void {
  const spec = objectAt(pod, 'spec');
  defaultPodSpec(spec);
  // Like the conversion to the internal version.
  if ((numberAt(spec, 'terminationGracePeriodSeconds') ?? 0) < 0) spec.terminationGracePeriodSeconds = 1;
  convertAddresses(objectAt(pod, 'status'));
  setDefaults(spec, { enableServiceLinks: true });
  for (const container of [...eachObject(spec.initContainers), ...eachObject(spec.containers)]) {
    const resources = objectAt(container, 'resources');
    const limits = objectAt(resources, 'limits');
    if (Object.keys(limits).length > 0) resources.requests = { ...limits, ...objectAt(resources, 'requests') };
    if (spec.hostNetwork !== true) continue;
    for (const port of eachObject(container.ports)) setDefaults(port, { hostPort: port.containerPort });
  }
  defaultPodResources(spec);
}

/** Synchronizes `podIP` with the first of `podIPs`. */
function convertAddresses(status: JsonObject): void {
  const own = stringAt(status, 'podIP');
  const first = stringAt(eachObject(status.podIPs)[0], 'ip');
  if (own !== '' && own !== first) status.podIPs = [{ ip: own }];
  if (own === '' && first !== '') status.podIP = first;
}

/**
 * Sets the requests of a pod with pod-level limits to the sum of its containers' requests, or else to its limits:
 * core/v1's defaultPodRequests.
 */
function defaultPodResources(spec: JsonObject): void {
  const { resources } = spec;
  if (!isJsonObject(resources)) return;
  const isOfPods = (name: string): boolean => name === 'cpu' || name === 'memory' || name.startsWith(PAGES);
  const [limits, requests] = [objectAt(resources, 'limits'), objectAt(resources, 'requests')];
  if (Object.keys(limits).length + Object.keys(requests).length === 0) return;
  const sums = (member: 'requests' | 'limits', isWanted: (name: string) => boolean): JsonObject =>
    toJson(new Map([...containerResources(spec, member)].filter(([name]) => isWanted(name))));
  const pages = sums('limits', (name) => name.startsWith(PAGES) && requests[name] === undefined);
  const allLimits = { ...pages, ...limits };
  if (Object.keys(allLimits).length === 0) return;
  resources.limits = allLimits;
  const ofContainers = sums('requests', (name) => isOfPods(name) && !name.startsWith(PAGES));
  const ofLimits = Object.fromEntries(Object.entries(allLimits).filter(([name]) => isOfPods(name)));
  const wanted = { ...ofLimits, ...ofContainers, ...requests };
  if (Object.keys(wanted).length > 0) resources.requests = wanted;
}

function defaultVolume(volume: JsonObject): void {
  if (Object.keys(volume).length === VOLUME_SOURCES_START) volume.emptyDir = {};
  for (const source of MODED_VOLUMES)
    if (isJsonObject(volume[source])) setDefaults(volume[source], { defaultMode: DEFAULT_MODE });
  defaultVolumeSource(volume);
  if (isJsonObject(volume.image))
    setDefaults(volume.image, { pullPolicy: pullPolicy(stringAt(volume.image, 'reference')) });
  eachObject(objectAt(volume, 'downwardAPI').items).forEach(defaultFieldRef);
  for (const source of eachObject(objectAt(volume, 'projected').sources)) {
    if (isJsonObject(source.serviceAccountToken)) setDefaults(source.serviceAccountToken, { expirationSeconds: 3600 });
    eachObject(objectAt(source, 'downwardAPI').items).forEach(defaultFieldRef);
  }
  const claim = objectAt(objectAt(volume, 'ephemeral'), 'volumeClaimTemplate');
  if (isJsonObject(claim.spec)) setDefaults(claim.spec, { volumeMode: 'Filesystem' });
}

function defaultFieldRef(item: JsonObject): void {
  if (isJsonObject(item.fieldRef)) setDefaults(item.fieldRef, { apiVersion: 'v1' });
}

function defaultSource(source: JsonObject): void {
  defaultFieldRef(source);
  if (isJsonObject(source.fileKeyRef)) setDefaults(source.fileKeyRef, { optional: false });
}

function defaultContainer(container: JsonObject): void {
  setDefaults(container, {
    terminationMessagePath: '/dev/termination-log',
    terminationMessagePolicy: 'File',
    imagePullPolicy: pullPolicy(stringAt(container, 'image')),
  });
  for (const port of eachObject(container.ports)) setDefaults(port, { protocol: 'TCP' });
  for (const variable of eachObject(container.env))
    if (isJsonObject(variable.valueFrom)) defaultSource(variable.valueFrom);
  for (const probe of ['livenessProbe', 'readinessProbe', 'startupProbe'])
    if (isJsonObject(container[probe])) defaultProbe(container[probe]);
  for (const hook of ['postStart', 'preStop']) defaultHttpGet(objectAt(objectAt(container, 'lifecycle'), hook));
}

function defaultProbe(probe: JsonObject): void {
  setDefaults(probe, { timeoutSeconds: 1, periodSeconds: 10, successThreshold: 1, failureThreshold: 3 });
  defaultHttpGet(probe);
  if (isJsonObject(probe.grpc)) setDefaults(probe.grpc, { service: '' });
}

function defaultHttpGet(handler: JsonObject): void {
  if (isJsonObject(handler.httpGet)) setDefaults(handler.httpGet, { path: '/', scheme: 'HTTP' });
}

const IMAGE = /^(?:[\w.-]+(?::\d+)?\/)?[a-z\d]+(?:[._/-]+[a-z\d]+)*(?::([\w][\w.-]*))?$/;

/** Returns the default pull policy; an image with a digest or an invalid name has no tag. */
function pullPolicy(image: string): string {
  const name = IMAGE.exec(image);
  const tag = name ? (name[1] ?? 'latest') : '';
  return tag === 'latest' ? 'Always' : 'IfNotPresent';
}

import { kubernetesData } from '../data/data-file.js';
import { eachObject, objectAt, type JsonObject } from '../objects/api-object.js';

const META = 'io.k8s.apimachinery.pkg.apis.meta.v1';
const DELETE_OPTIONS = `${META}.DeleteOptions`;
const KINDS = 'x-kubernetes-group-version-kind';
/** Groups that the server of custom resources does not include. */
const ELSEWHERE = /^(admission|apiextensions|apiregistration|imagepolicy)\.k8s\.io$/;

let meta: string | undefined;
let scale: string | undefined;

/** Returns the schemas that every document of custom resources contains: the members of a JSON object. */
export function metaSchemas(): string {
  return (meta ??= membersOf({
    ...schemasOf('apis/coordination.k8s.io/v1', isMeta),
    [DELETE_OPTIONS]: deleteOptions(),
  }));
}

/** Returns the schemas of the scale subresource: the members of a JSON object. */
export function scaleSchemas(): string {
  return (scale ??= membersOf(
    schemasOf('apis/apps/v1', (name) => /^io\.k8s\.api\.autoscaling\.v1\.Scale(Spec|Status)?$/.test(name)),
  ));
}

function isMeta(name: string): boolean {
  return name.startsWith(META) && !/(APIResource|MicroTime|WatchEvent)/.test(name);
}

function schemasOf(document: string, isIncluded: (name: string) => boolean): JsonObject {
  const { components } = kubernetesData.openApi.v3[document] ?? {};
  const schemas = objectAt(objectAt({ components }, 'components'), 'schemas');
  return Object.fromEntries(Object.entries(schemas).filter(([name]) => isIncluded(name)));
}

function deleteOptions(): JsonObject {
  const { [DELETE_OPTIONS]: schema } = schemasOf('apis/coordination.k8s.io/v1', isMeta);
  const definition = objectAt(objectAt(kubernetesData.openApi.v2, 'definitions'), DELETE_OPTIONS);
  const kinds = eachObject(definition[KINDS]).filter(({ group }) => !ELSEWHERE.test(String(group)));
  return { ...objectAt({ schema }, 'schema'), [KINDS]: kinds };
}

function membersOf(schemas: JsonObject): string {
  return JSON.stringify(schemas).slice(1, -1);
}

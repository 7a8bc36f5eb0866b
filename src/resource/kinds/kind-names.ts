import type { KindRef } from '../../api/kind-ref.js';
import type { KindOptions } from '../decorators/kind.js';
import type { Diagnostics } from '../diagnostics.js';
import type { Location } from '../location.js';
import type { Problem } from '../model-error.js';
import { kindLocation } from './kind-location.js';
import { isDns1035Label, isDns1123Subdomain, isLabelValue, isQualifiedName } from './names.js';

/** All that a kind is called. */
export interface KindNames {
  readonly singular: string;
  readonly listKind: string;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
}

/** Leaves the plural in lower case, which is at most two letters longer than the kind, within 63. */
const MAX_NAME = 63;
const APPROVAL = 'api-approved.kubernetes.io';

export function kindNames({ kind }: KindRef, options: KindOptions): KindNames {
  return {
    singular: options.singular ?? kind.toLowerCase(),
    listKind: options.listKind ?? `${kind}List`,
    shortNames: Object.freeze([...(options.shortNames ?? [])]),
    categories: Object.freeze([...(options.categories ?? [])]),
  };
}

/** Checks what `@Kind` was given, by the API server's rules for CustomResourceDefinitions. */
export function checkKind(
  target: Location['target'],
  kind: KindRef,
  options: KindOptions,
  diagnostics: Diagnostics,
): void {
  const wrong = (problem: string, hint: string): void => {
    diagnostics.add(kindLocation(target), `@Kind: ${problem}`, hint);
  };
  checkGroup(kind.group, options, wrong);
  if (!(options.anyNames ? isDns1035Label : isUsualVersion)(kind.version))
    wrong(`version '${kind.version}' is none of Kubernetes`, `version: 'v1', 'v1beta1' or 'v1alpha1'`);
  checkNames(kind, options, wrong);
  const scope: string = kind.scope;
  if (scope !== 'Namespaced' && scope !== 'Cluster')
    wrong(`scope '${scope}' is unknown`, `scope: 'Namespaced' or 'Cluster'`);
  checkMetadata(options, wrong);
}

type Wrong = (problem: string, hint: string) => void;

function checkGroup(group: string, { annotations }: KindOptions, wrong: Wrong): void {
  if (!isDns1123Subdomain(group) || !group.includes('.')) {
    wrong(`group '${group}' is no domain of small letters with a dot`, `group: 'apps.example.com'`);
    return;
  }
  const isProtected = /(?:^|\.)(?:k8s|kubernetes)\.io$/.test(group);
  if (isProtected && annotations?.[APPROVAL] === undefined)
    wrong(
      `group '${group}' is reserved for Kubernetes, and the API server refuses it as it is`,
      `take a group of your own, or annotations: { '${APPROVAL}': 'unapproved, experimental-only' }`,
    );
}

function checkNames(kind: KindRef, options: KindOptions, wrong: Wrong): void {
  const { listKind, shortNames, categories } = kindNames(kind, options);
  checkKindName(kind.kind, listKind, options, wrong);
  // Names that follow from the kind are right where it is.
  for (const option of ['plural', 'singular'] as const) {
    const given = options[option];
    if (given !== undefined && !isDns1035Label(given)) wrong(...misspelt(option, given, `'${suggest(given)}'`));
  }
  for (const [option, values] of Object.entries({ shortNames, categories })) {
    for (const value of values.filter((text) => !isDns1035Label(text)))
      wrong(...misspelt(option, value, `['${suggest(value)}']`));
  }
  const repeated = shortNames.find((name, index) => shortNames.indexOf(name) !== index);
  if (repeated !== undefined) wrong(`is called '${repeated}' twice`, 'remove one of shortNames');
}

function checkKindName(kind: string, listKind: string, options: KindOptions, wrong: Wrong): void {
  if (options.listKind !== undefined && (!isKindName(listKind, options) || listKind === kind))
    wrong(`listKind '${listKind}' is not in PascalCase, or the kind itself`, `listKind: '${kind}List'`);
  else if (!isKindName(kind, options) || listKind.length > MAX_NAME)
    wrong(
      `kind '${kind}' is not in PascalCase of up to ${MAX_NAME - 'List'.length} letters and digits`,
      `kind: 'PodSet'`,
    );
}

function isUsualVersion(name: string): boolean {
  return /^v[1-9][0-9]*((alpha|beta)[1-9][0-9]*)?$/.test(name);
}

function isKindName(name: string, { anyNames }: KindOptions): boolean {
  return anyNames ? isDns1035Label(name.toLowerCase()) : /^[A-Z][A-Za-z0-9]*$/.test(name) && name.length <= MAX_NAME;
}

function misspelt(option: string, value: string, instead: string): Problem {
  return [`${option} '${value}' is not made of small letters, digits and dashes`, `${option}: ${instead}`];
}

function suggest(name: string): string {
  return (
    name
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, '-')
      .replaceAll(/^[^a-z]+|-+$/g, '')
      .slice(0, 63) || 'podsets'
  );
}

function checkMetadata({ labels = {}, annotations = {} }: KindOptions, wrong: Wrong): void {
  for (const key of [...Object.keys(labels), ...Object.keys(annotations)].filter((name) => !isQualifiedName(name)))
    wrong(`'${key}' is no key of labels and annotations`, `'example.com/name'`);
  for (const [key, value] of Object.entries(labels).filter(([, text]) => !isLabelValue(text)))
    wrong(`label ${key} cannot hold '${value}'`, 'up to 63 letters, digits, dashes, dots and underscores');
}

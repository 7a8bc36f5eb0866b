import type { KindRef } from '../../api/kinds/kind-ref.js';
import type { KindOptions } from '../decorators/kind.js';
import type { Diagnostics } from '../diagnostics.js';
import type { Location } from '../location.js';
import type { Problem } from '../model-error.js';
import { kindLocation } from './kind-location.js';
import { isDns1035Label, isDns1123Subdomain, isLabelValue, isQualifiedName } from './names.js';

/** The names of a kind. */
export interface KindNames {
  readonly singular: string;
  readonly listKind: string;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
}

/** Keeps the lower-case plural, at most two letters longer than the kind, within 63. */
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

/** Adds diagnostics for `@Kind` options, by the API server's rules for CustomResourceDefinitions. */
export function collectKind(
  target: Location['target'],
  kind: KindRef,
  options: KindOptions,
  diagnostics: Diagnostics,
): void {
  const report = (problem: string, hint: string): void => {
    diagnostics.add(kindLocation(target), `@Kind: ${problem}`, hint);
  };
  const missing = missingOptions(kind);
  if (missing.length > 0) {
    report(
      `${missing.join(' and ')} must be set to ${missing.length > 1 ? 'strings' : 'a string'}`,
      `@Kind({ group: 'apps.example.com', version: 'v1' })`,
    );
    return;
  }
  collectGroup(kind.group, options, report);
  if (!(options.anyNames ? isDns1035Label : isUsualVersion)(kind.version))
    report(`version "${kind.version}" is not a valid Kubernetes API version`, `version: 'v1', 'v1beta1' or 'v1alpha1'`);
  collectNames(kind, options, report);
  const scope: string = kind.scope;
  if (scope !== 'Namespaced' && scope !== 'Cluster')
    report(`unknown scope "${scope}"`, `scope: 'Namespaced' or 'Cluster'`);
  collectMetadata(options, report);
}

/** The required options that are missing or not strings: classes run without a type check. */
function missingOptions(kind: KindRef): string[] {
  const { group, version }: Readonly<Record<'group' | 'version', unknown>> = kind;
  return Object.entries({ group, version }).flatMap(([name, value]) => (typeof value === 'string' ? [] : [name]));
}

type Report = (problem: string, hint: string) => void;

function collectGroup(group: string, { annotations }: KindOptions, report: Report): void {
  if (!isDns1123Subdomain(group) || !group.includes('.')) {
    report(`group "${group}" is not a lowercase domain name with a dot`, `group: 'apps.example.com'`);
    return;
  }
  const isProtected = /(?:^|\.)(?:k8s|kubernetes)\.io$/.test(group);
  if (isProtected && annotations?.[APPROVAL] === undefined)
    report(
      `group "${group}" is reserved for Kubernetes and rejected by the API server`,
      `use a domain of your own, or annotations: { '${APPROVAL}': 'unapproved, experimental-only' }`,
    );
}

function collectNames(kind: KindRef, options: KindOptions, report: Report): void {
  const { listKind, shortNames, categories } = kindNames(kind, options);
  collectKindName(kind.kind, listKind, options, report);
  // Names derived from the kind are valid where the kind is.
  for (const option of ['plural', 'singular'] as const) {
    const given = options[option];
    if (given !== undefined && !isDns1035Label(given)) report(...misspelled(option, given, `'${suggest(given)}'`));
  }
  for (const [option, values] of Object.entries({ shortNames, categories })) {
    for (const value of values.filter((text) => !isDns1035Label(text)))
      report(...misspelled(option, value, `['${suggest(value)}']`));
  }
  const repeated = shortNames.find((name, index) => shortNames.indexOf(name) !== index);
  if (repeated !== undefined) report(`duplicate name "${repeated}" in shortNames`, 'remove one of shortNames');
}

function collectKindName(kind: string, listKind: string, options: KindOptions, report: Report): void {
  if (options.listKind !== undefined && (!isKindName(listKind, options) || listKind === kind))
    report(`listKind "${listKind}" must be in PascalCase and differ from the kind`, `listKind: '${kind}List'`);
  else if (!isKindName(kind, options) || listKind.length > MAX_NAME)
    report(
      `kind "${kind}" must be in PascalCase, with up to ${MAX_NAME - 'List'.length} letters and digits`,
      `kind: 'PodSet'`,
    );
}

function isUsualVersion(name: string): boolean {
  return /^v[1-9][0-9]*((alpha|beta)[1-9][0-9]*)?$/.test(name);
}

function isKindName(name: string, { anyNames }: KindOptions): boolean {
  return anyNames ? isDns1035Label(name.toLowerCase()) : /^[A-Z][A-Za-z0-9]*$/.test(name) && name.length <= MAX_NAME;
}

function misspelled(option: string, value: string, instead: string): Problem {
  return [
    `${option} "${value}" must consist of up to 63 lowercase letters, digits and dashes`,
    `${option}: ${instead}`,
  ];
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

function collectMetadata({ labels = {}, annotations = {} }: KindOptions, report: Report): void {
  for (const key of [...Object.keys(labels), ...Object.keys(annotations)].filter((name) => !isQualifiedName(name)))
    report(`"${key}" is not a valid key for labels and annotations`, `'example.com/name'`);
  for (const [key, value] of Object.entries(labels).filter(([, text]) => !isLabelValue(text)))
    report(
      `"${value}" is not a valid value for label ${key}`,
      'use up to 63 letters, digits, dashes, dots and underscores',
    );
}

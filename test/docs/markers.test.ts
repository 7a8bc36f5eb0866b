import { expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const docs = readFileSync(join(import.meta.dirname, '../../docs/decorators.md'), 'utf8');
const section = docs.slice(docs.indexOf("## controller-gen's markers"));

/** What controller-gen 0.23 registers (pkg/crd/markers, pkg/rbac, pkg/webhook, pkg/deepcopy, pkg/applyconfiguration). */
const MARKERS: readonly string[] = [
  ...['Maximum', 'Minimum', 'ExclusiveMaximum', 'ExclusiveMinimum', 'MultipleOf', 'MinProperties', 'MaxProperties'],
  ...['MaxLength', 'MinLength', 'Pattern', 'MaxItems', 'MinItems', 'UniqueItems', 'Enum', 'Format', 'Type', 'items'],
  ...['XPreserveUnknownFields', 'XEmbeddedResource', 'XIntOrString', 'XValidation', 'AtMostOneOf', 'ExactlyOneOf'],
  ...['AtLeastOneOf', 'Required', 'Optional', 'EmbeddedResource', 'Schemaless', 'required', 'optional', 'nullable'],
  ...['k8s:enum', 'k8s:required', 'k8s:optional', 'k8s:immutable', 'k8s:maxItems', 'k8s:minimum', 'k8s:maximum'],
  ...['k8s:listType', 'k8s:listMapKey', 'kubebuilder:default', 'default', 'example', 'title', 'externalDocs'],
  ...['pruning:PreserveUnknownFields', 'listType', 'listMapKey', 'mapType', 'structType', 'groupName', 'versionName'],
  ...['skip', 'skipversion', 'storageversion', 'unservedversion', 'deprecatedversion', 'metadata', 'selectablefield'],
  ...['subresource:status', 'subresource:scale', 'printcolumn', 'resource', 'rbac', 'webhook', 'webhookconfiguration'],
  ...['object:generate', 'object:root', 'ac:generate', 'ac:output:package'],
];

test('every marker of controller-gen has a counterpart or a reason why it has none', () => {
  const cells = section.split('\n').map((line) => line.split('|')[1] ?? '');
  const named = new Set(cells.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name)));
  const isNamed = (marker: string): boolean =>
    [...named].some((name) => [name, name.replace('validation:', '')].some((text) => isOf(text, marker)));
  expect(MARKERS.filter((marker) => !isNamed(marker))).toEqual([]);
});

/** A marker may be listed with its arguments. */
function isOf(text: string, marker: string): boolean {
  return text === marker || text.startsWith(`${marker}:`);
}

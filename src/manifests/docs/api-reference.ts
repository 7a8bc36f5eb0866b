import { apiVersionOf, resourceName } from '../../api/kinds/kind-ref.js';
import { stringifyYaml } from '../../base/yaml.js';
import type { PrintColumn } from '../../resource/decorators/print-column.js';
import { storedVersion } from '../../resource/kinds/versions.js';
import type { ResourceModel } from '../../resource/model.js';
import { sampleObjects } from '../samples.js';
import { inlinesOf, type Block, type Document, type Inline } from './document.js';
import { FieldTables } from './field-tables.js';
import { objectRules } from './rule-inlines.js';

/** The reference of a kind: each version with its fields, rules, columns and samples. */
export function apiReference(versions: readonly ResourceModel[]): Document {
  const [first] = versions;
  if (!first) throw new TypeError('a kind has at least one version');
  const { kind } = first;
  const stored = storedVersion(versions);
  const title = `${kind.kind} (${kind.group})`;
  return {
    title,
    blocks: [
      { kind: 'heading', level: 1, id: kind.kind.toLowerCase(), text: title },
      facts([
        ['resource', resourceName(kind)],
        ['scope', kind.scope],
        ['short names', [...new Set(versions.flatMap(({ shortNames }) => shortNames))].join(', ')],
        ['categories', [...new Set(versions.flatMap(({ categories }) => categories))].join(', ')],
      ]),
      ...versions.flatMap((model) => versionBlocks(model, model === stored)),
    ],
  };
}

function facts(pairs: readonly (readonly [string, string])[]): Block {
  const given = pairs.filter(([, value]) => value !== '');
  return { kind: 'list', items: given.map(([name, value]): Inline[] => [`${name}: `, { code: value }]) };
}

function versionBlocks(model: ResourceModel, isStored: boolean): Block[] {
  const { kind, classModel, description, printColumns, version } = model;
  const id = `${kind.kind}-${kind.version}`.toLowerCase();
  const uses = [
    ...(version.served ? ['served'] : ['not served']),
    ...(isStored ? ['storage version'] : []),
    ...(version.isDeprecated ? ['deprecated'] : []),
    ...(model.hasStatus ? ['subresource status'] : []),
    ...(model.scale ? ['subresource scale'] : []),
  ];
  const warning = version.deprecationWarning;
  return [
    { kind: 'heading', level: 2, id, text: apiVersionOf(kind) },
    { kind: 'paragraph', inlines: [`${uses.join(', ')}${warning === undefined ? '' : `: ${warning}`}`] },
    ...textBlocks(description ?? ''),
    ...objectRules(classModel),
    ...new FieldTables(id).blocks(classModel),
    ...columnBlocks(printColumns),
    ...sampleBlocks(model),
  ];
}

/** The paragraphs of a comment. */
function textBlocks(text: string): Block[] {
  const paragraphs = text.split(/\n\s*\n/).filter((paragraph) => paragraph.trim() !== '');
  return paragraphs.map((paragraph) => ({ kind: 'paragraph', inlines: inlinesOf(paragraph.trim()) }));
}

function columnBlocks(columns: readonly PrintColumn[]): Block[] {
  if (columns.length === 0) return [];
  const rows = columns.map(({ name, type, jsonPath, description }): Inline[][] => [
    [name],
    [type],
    [{ code: jsonPath }],
    description === undefined ? [] : inlinesOf(description),
  ]);
  return [{ kind: 'table', head: ['Column of kubectl get', 'Type', 'Value', 'Description'], rows }];
}

function sampleBlocks(model: ResourceModel): Block[] {
  const samples = sampleObjects(model);
  if (samples.length === 0) return [];
  const text = samples.map(stringifyYaml).join('---\n');
  return [{ kind: 'code', language: 'yaml', text }];
}

import { printableText } from '../../base/printable-text.js';
import type { ObjectTree, TreeNode } from '../../console/wire.js';
import { printLine } from '../print-line.js';
import { ConsoleClient, type ConsoleChoice } from './console-client.js';
import { findObject, titleOf, type NamedObject } from './find-object.js';

/** Prints an object with its owners and what they own. */
export async function tree(named: NamedObject, choice: ConsoleChoice): Promise<void> {
  const client = ConsoleClient.open(choice);
  const { uid } = await findObject(client, named);
  const found = await client.get<ObjectTree>(`objects/${encodeURIComponent(uid)}/tree`);
  for (const line of treeLines(found)) printLine(printableText(line));
}

/** The lines of `kindwright tree`. */
export function treeLines({ root }: ObjectTree): string[] {
  return [labelOf(root), ...childLines(root, '')];
}

function childLines({ children, omitted }: TreeNode, indent: string): string[] {
  const rest = omitted.map(({ kind, count }) => `… ${count} more ${kind}`);
  const parts = [
    ...children.map((node) => ({ label: labelOf(node), node })),
    ...rest.map((label) => ({ label, node: undefined })),
  ];
  return parts.flatMap(({ label, node }, index) => {
    const isLast = index === parts.length - 1;
    const below = node ? childLines(node, `${indent}${isLast ? '   ' : '│  '}`) : [];
    return [`${indent}${isLast ? '└─ ' : '├─ '}${label}`, ...below];
  });
}

function labelOf({ row }: TreeNode): string {
  const detail = row.detail === undefined ? '' : ` (${row.detail})`;
  return row.state === '' ? titleOf(row) : `${titleOf(row)}  ${row.state}${detail}`;
}

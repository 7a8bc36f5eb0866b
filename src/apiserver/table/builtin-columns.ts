import { kubernetesData, type ColumnRow } from '../data/data-file.js';
import type { Cell, Cells } from './cell.js';
import { CLUSTER_CELLS } from './cluster-cells.js';
import { CORE_CELLS } from './core-cells.js';
import { humanAge } from './human-duration.js';
import type { TableColumn } from './table-column.js';
import { WORKLOAD_CELLS } from './workload-cells.js';

const CELLS: Readonly<Record<string, Cells>> = { ...CORE_CELLS, ...WORKLOAD_CELLS, ...CLUSTER_CELLS };

const COMMON: Cells = {
  Name: ({ metadata }) => metadata.name,
  Age: ({ metadata }, now) => humanAge(metadata.creationTimestamp, now),
  'Created At': ({ metadata }) => metadata.creationTimestamp,
};

const known = new Map<string, readonly TableColumn[]>();

/** The columns kubectl gets for a built-in kind. */
export function builtinColumns(group: string, version: string, kind: string): readonly TableColumn[] {
  const name = `${group === '' ? version : `${group}/${version}`} ${kind}`;
  let columns = known.get(name);
  if (!columns) {
    const cells = CELLS[group === '' ? kind : `${kind}.${group}`] ?? {};
    const rows = kubernetesData.columns[name] ?? plainRows();
    columns = rows.map((row) => ({ ...row, cell: cellOf(row, cells) }));
    known.set(name, columns);
  }
  return columns;
}

/** Name and age: what is shown of a kind that has no columns of its own. */
export function plainColumns(): readonly TableColumn[] {
  return builtinColumns('', 'v1', 'ServiceAccount').filter(({ name }) => name in COMMON);
}

function plainRows(): readonly ColumnRow[] {
  return (kubernetesData.columns['v1 ConfigMap'] ?? []).filter(({ name }) => name in COMMON);
}

function cellOf({ name }: ColumnRow, cells: Cells): Cell {
  return cells[name] ?? COMMON[name] ?? (() => null);
}

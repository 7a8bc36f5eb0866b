import { ownMember } from '../../base/own-member.js';
import { kubernetesData, type ColumnRow } from '../data/data-file.js';
import { type Cell, type Cells, specOf, statusOf } from './cell.js';
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

/** Returns the printed columns of a built-in kind. */
export function builtinColumns(group: string, version: string, kind: string): readonly TableColumn[] {
  const name = `${group === '' ? version : `${group}/${version}`} ${kind}`;
  let columns = known.get(name);
  if (!columns) {
    const cells = ownMember(CELLS, group === '' ? kind : `${kind}.${group}`) ?? {};
    const rows = kubernetesData.columns[name] ?? plainRows();
    columns = rows.map((row) => ({ ...row, cell: cellOf(row, cells) }));
    known.set(name, columns);
  }
  return columns;
}

/** Returns the columns name and age, for kinds without columns of their own. */
export function plainColumns(): readonly TableColumn[] {
  return builtinColumns('', 'v1', 'ServiceAccount').filter(({ name }) => name in COMMON);
}

function plainRows(): readonly ColumnRow[] {
  return (kubernetesData.columns['v1 ConfigMap'] ?? []).filter(({ name }) => name in COMMON);
}

function cellOf({ name }: ColumnRow, cells: Cells): Cell {
  return ownMember(cells, name) ?? ownMember(COMMON, name) ?? (() => null);
}

/** Returns the columns of a Scale; their descriptions differ for custom resources. */
export function scaleColumns(isCustom: boolean): readonly TableColumn[] {
  const [name, age] = isCustom ? [{}, { type: 'date' }] : [{ format: '' }, {}];
  const plain = plainColumns();
  return [
    ...plain.slice(0, 1).map((column) => ({ ...column, ...name })),
    ...(isCustom ? customScaleColumns() : builtinScaleColumns()),
    ...plain.slice(1).map((column) => ({ ...column, ...age })),
  ];
}

function customScaleColumns(): TableColumn[] {
  return [
    integer('Desired', 'Number of desired replicas', (scale) => specOf(scale).replicas),
    integer('Available', 'Number of actual replicas', (scale) => statusOf(scale).replicas),
  ];
}

function builtinScaleColumns(): TableColumn[] {
  const [desired, observed] = ['the desired number of instances', 'the actual number of observed instances'];
  return [
    integer('Desired', `replicas is ${desired} for the scaled object.`, (scale) => specOf(scale).replicas ?? 0),
    integer('Available', `replicas is ${observed} of the scaled object.`, (scale) => statusOf(scale).replicas),
  ];
}

function integer(name: string, description: string, cell: Cell): TableColumn {
  return { name, type: 'integer', format: '', description, priority: 0, cell };
}

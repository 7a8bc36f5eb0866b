import { plainColumns } from './builtin-columns.js';
import { specOf, statusOf, type Cell } from './cell.js';
import type { TableColumn } from './table-column.js';

/** The columns of a Scale; one of a custom resource has other words than one of a built-in kind. */
export function scaleColumns(isCustom: boolean): readonly TableColumn[] {
  const [name, age] = isCustom ? [{}, { type: 'date' }] : [{ format: '' }, {}];
  const plain = plainColumns();
  return [
    ...plain.slice(0, 1).map((column) => ({ ...column, ...name })),
    ...(isCustom ? customColumns() : builtinColumns()),
    ...plain.slice(1).map((column) => ({ ...column, ...age })),
  ];
}

function customColumns(): TableColumn[] {
  return [
    integer('Desired', 'Number of desired replicas', (scale) => specOf(scale).replicas),
    integer('Available', 'Number of actual replicas', (scale) => statusOf(scale).replicas),
  ];
}

function builtinColumns(): TableColumn[] {
  const [desired, observed] = ['the desired number of instances', 'the actual number of observed instances'];
  return [
    integer('Desired', `replicas is ${desired} for the scaled object.`, (scale) => specOf(scale).replicas ?? 0),
    integer('Available', `replicas is ${observed} of the scaled object.`, (scale) => statusOf(scale).replicas),
  ];
}

function integer(name: string, description: string, cell: Cell): TableColumn {
  return { name, type: 'integer', format: '', description, priority: 0, cell };
}

import { OperatorError } from '../../base/operator-error.js';
import type { ObjectPage, ObjectRow } from '../../console/wire.js';
import type { ConsoleClient } from './console-client.js';

export interface NamedObject {
  readonly kind: string;
  readonly name: string;
  /** Default: all namespaces, if the name is unique. */
  readonly namespace?: string | undefined;
}

/** @throws OperatorError (E_CONSOLE) if there is no such object, or several. */
export async function findObject(client: ConsoleClient, { kind, name, namespace }: NamedObject): Promise<ObjectRow> {
  const query = new URLSearchParams({ kind, name, ...(namespace !== undefined && { namespace }) });
  const { rows } = await client.get<ObjectPage>(`find?${query.toString()}`);
  const [row, second] = rows;
  if (!row)
    throw new OperatorError(`the operator has no ${kind} ${name}${namespace === undefined ? '' : ` in ${namespace}`}`, {
      code: 'E_CONSOLE',
      hint: 'kindwright top lists the objects',
    });
  if (second)
    throw new OperatorError(`there are ${rows.length} objects ${kind} ${name}`, {
      code: 'E_CONSOLE',
      hint: `pass --namespace ${row.namespace ?? ''} or another one`,
    });
  return row;
}

/** `PodSet default/web`. */
export function titleOf({ kind, namespace, name }: Pick<ObjectRow, 'kind' | 'namespace' | 'name'>): string {
  return `${kind.split('.', 1)[0] ?? kind} ${namespace === undefined ? name : `${namespace}/${name}`}`;
}

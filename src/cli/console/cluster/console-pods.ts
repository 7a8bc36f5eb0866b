import { Pod } from '../../../api/kinds/kinds.js';
import { OperatorError } from '../../../base/operator-error.js';
import type { Client } from '../../../client/client.js';

/** A pod with a console, and its port. */
export interface ConsolePod {
  readonly name: string;
  readonly port: number;
}

const FLAG = '--console-bind-address';
const VARIABLE = 'KINDWRIGHT_CONSOLE_BIND_ADDRESS';

/**
 * Returns the running pods of a namespace that serve a console, by the arguments and variables of their containers.
 *
 * @throws OperatorError (E_CONSOLE) if the list is empty.
 */
export async function consolePods(client: Client, namespace: string, name?: string): Promise<ConsolePod[]> {
  const { items } = await client.list(Pod, { namespace });
  const running = items.filter(
    ({ metadata, status }) =>
      status?.phase === 'Running' &&
      metadata.deletionTimestamp === undefined &&
      (name === undefined || metadata.name === name),
  );
  const found = running.flatMap((pod) => {
    const port = portOf(pod);
    return port === undefined ? [] : [{ name: pod.metadata.name, port }];
  });
  if (found.length > 0) return found;
  const what =
    name === undefined ? `namespace ${namespace} has no running pod` : `pod ${namespace}/${name} is not running`;
  throw new OperatorError(`${what} with ${FLAG}`, {
    code: 'E_CONSOLE',
    hint: `start the operator with ${FLAG}=127.0.0.1:8444, as console.enabled of the Helm chart does; pass its namespace with --namespace`,
  });
}

function portOf({ spec }: Pod): number | undefined {
  for (const container of spec?.containers ?? []) {
    const [, port] = /:(\d{1,5})$/.exec(addressOf(container) ?? '') ?? [];
    if (port !== undefined && port !== '0') return Number(port);
  }
  return undefined;
}

type Container = NonNullable<Pod['spec']>['containers'][number];

/** Arguments take precedence over variables, as in the command line. */
function addressOf({ command = [], args = [], env = [] }: Container): string | undefined {
  const all = [...command, ...args];
  const at = all.findIndex((arg) => arg === FLAG || arg.startsWith(`${FLAG}=`));
  if (at < 0) return env.find(({ name }) => name === VARIABLE)?.value;
  return all[at] === FLAG ? all[at + 1] : all[at]?.slice(FLAG.length + 1);
}

import { createInterface } from 'node:readline/promises';
import { OperatorError } from '../../base/operator-error.js';
import { countNoun } from '../count-noun.js';
import { objectsOf } from './crd-objects.js';
import type { OperatorObject } from './operator-objects.js';
import { printLine } from '../print-line.js';
import type { ClusterSession } from './with-cluster.js';

/**
 * Prints how many objects are deleted with their definitions, and asks for confirmation.
 *
 * @param deployed the number of other objects to delete
 *
 * @throws OperatorError when the user declines, or standard input is not a terminal
 */
export async function confirmDeletion(
  { client, host, signal }: ClusterSession,
  definitions: readonly OperatorObject[],
  isConfirmed: boolean,
  deployed = 0,
): Promise<void> {
  let count = deployed;
  if (deployed > 0) printLine(`deleting the operator deletes ${countNoun(deployed, 'object')}`);
  for (const { object } of definitions) {
    const { length } = await objectsOf(client, object);
    if (length > 0) printLine(`deleting ${object.metadata.name} deletes ${countNoun(length, 'object')}`);
    count += length;
  }
  if (count === 0 || isConfirmed || (await askUser(`Delete them at ${host}?`, signal))) return;
  throw new OperatorError(`deleting ${countNoun(count, 'object')} requires confirmation; nothing was deleted`, {
    code: 'E_NOT_CONFIRMED',
    hint: 'save them with kubectl get … -o yaml, then pass --yes',
  });
}

async function askUser(question: string, signal: AbortSignal): Promise<boolean> {
  if (!process.stdin.isTTY || !process.stdout.isTTY) return false;
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  try {
    return /^y(es)?$/i.test(await terminal.question(`${question} [y/N] `, { signal }));
  } finally {
    terminal.close();
  }
}

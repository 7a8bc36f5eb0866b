import { createInterface } from 'node:readline/promises';
import { OperatorError } from '../../base/operator-error.js';
import { countNoun } from '../count-noun.js';
import { objectsOf } from './crd-objects.js';
import type { OperatorObject } from './operator-objects.js';
import { say } from './say.js';
import type { ClusterSession } from './with-cluster.js';

/**
 * Says how many objects go with definitions, and asks whether they may.
 *
 * @throws OperatorError when they may not, or there is nobody to ask
 */
export async function confirmLoss(
  { client, host, signal }: ClusterSession,
  definitions: readonly OperatorObject[],
  isAgreed: boolean,
): Promise<void> {
  let count = 0;
  for (const { object } of definitions) {
    const { length } = await objectsOf(client, object);
    if (length > 0) say(`${object.metadata.name} has ${countNoun(length, 'object')}, deleted with it`);
    count += length;
  }
  if (count === 0 || isAgreed || (await isConfirmed(`Delete them at ${host}?`, signal))) return;
  throw new OperatorError(`${countNoun(count, 'object')} would be lost; nothing was deleted`, {
    code: 'E_NOT_CONFIRMED',
    hint: 'keep a copy: kubectl get … -o yaml; then say --yes',
  });
}

async function isConfirmed(question: string, signal: AbortSignal): Promise<boolean> {
  if (!process.stdin.isTTY || !process.stdout.isTTY) return false;
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  try {
    return /^y(es)?$/i.test(await terminal.question(`${question} [y/N] `, { signal }));
  } finally {
    terminal.close();
  }
}

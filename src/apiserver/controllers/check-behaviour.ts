import { inspect } from 'node:util';
import { dnsSubdomainErrors } from '../../api/names.js';
import { OperatorError } from '../../base/operator-error.js';
import type { ClusterBehaviour } from './controller-manager.js';

/**
 * Checks what a caller says of the simulated cluster, before anything of it is there.
 *
 * @throws OperatorError that names the option.
 */
export function checkBehaviour({ nodes = 0, podStartDelayMs = 0 }: ClusterBehaviour): void {
  if (typeof nodes === 'object') checkNames(nodes);
  else if (!(Number.isInteger(nodes) && nodes >= 0)) throw mistake('nodes', nodes, 'say how many, or name them');
  if (!(podStartDelayMs >= 0)) throw mistake('podStartDelayMs', podStartDelayMs, 'give milliseconds, 0 or more');
}

function checkNames(names: readonly string[]): void {
  for (const [index, name] of names.entries()) {
    const [problem] = dnsSubdomainErrors(name);
    if (problem !== undefined) throw mistake(`nodes[${index}]`, name, problem);
    if (names.indexOf(name) !== index) throw mistake(`nodes[${index}]`, name, 'name each node once');
  }
}

function mistake(option: string, value: unknown, wanted: string): OperatorError {
  return new OperatorError(`${option} cannot be ${inspect(value)}: ${wanted}`, { code: 'E_OPTION' });
}

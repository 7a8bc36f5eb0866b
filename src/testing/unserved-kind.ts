import { OperatorError } from '../base/operator-error.js';

/** Returns the error for a kind that the cluster of a test does not serve (yet). */
export function unservedKind(kind: string, apiVersion: string, cause?: unknown): OperatorError {
  return new OperatorError(`the cluster serves no ${kind} of ${apiVersion}`, {
    code: 'E_KIND_UNKNOWN',
    hint: 'await cluster.run(YourClass) or cluster.install(YourClass), or apply its CustomResourceDefinition first',
    cause,
  });
}

import { resourceName } from '../../api/kinds/kind-ref.js';
import type { KubeObject, ReadonlyDeep } from '../../api/objects/kube-object.js';
import { TerminalError } from '../../base/terminal-error.js';
import type { ResourceModel } from '../../resource/model.js';

/**
 * Checks that an object has a namespace exactly if its kind is namespaced, as children of the object are placed by it.
 *
 * @throws TerminalError if the installed definition has another scope than the class
 */
export function assertInstalledScope(
  { kind, definesKind, className }: Pick<ResourceModel, 'kind' | 'definesKind' | 'className'>,
  { metadata }: ReadonlyDeep<KubeObject>,
): void {
  const installed = metadata.namespace ? 'Namespaced' : 'Cluster';
  if (installed === kind.scope) return;
  const definition = resourceName(kind);
  throw new TerminalError(
    `${className}: the API server serves ${definition} with scope ${installed}, not ${kind.scope}`,
    {
      hint: definesKind
        ? `the scope of a CRD cannot be changed: set scope: '${installed}' in @Kind, or delete the CRD with its objects and apply the generated one`
        : `set scope: '${installed}' for the kind that @Controller({ for }) names`,
    },
  );
}

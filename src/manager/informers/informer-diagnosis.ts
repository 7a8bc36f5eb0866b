import { apiVersionOf, kindKey, resourceName, type KindRef } from '../../api/kinds/kind-ref.js';
import type { Logger } from '../../base/logger.js';
import { OperatorError } from '../../base/operator-error.js';
import type { Informer } from '../../cache/informer.js';
import { ApiError, ForbiddenError, NotFoundError } from '../../client/api-error.js';
import { clusterHint, rbacHint } from '../../controller/read/rbac-hint.js';
import { kindsOf, optionalKindsOf } from '../../resource/kinds/kinds-of.js';
import type { ResourceModel } from '../../resource/model.js';

/** The diagnosis of a failed list or watch. */
interface Diagnosis {
  /** `info` for a kind that all classes can do without, `warn` for a temporary cause, such as an overloaded server; `error` for one that needs an action of the user. */
  readonly level: 'info' | 'warn' | 'error';
  readonly message: string;
  readonly hint: string | undefined;
}

type Watched = Pick<Informer, 'kind' | 'namespace' | 'onError'>;

/**
 * Logs why an informer is not connected, each cause once until it is connected again. Returns an unsubscribe function.
 *
 * @param cluster the cluster of the informer, if it is another than the operator's own
 */
export function reportInformerErrors(
  informer: Watched,
  models: readonly ResourceModel[],
  logger: Logger,
  cluster?: string,
): () => void {
  const { kind, namespace } = informer;
  return informer.onError((error) => {
    const { level, message, hint } = diagnose(informer, error, models, cluster);
    logger[level](message, {
      resource: resourceName(kind),
      ...(namespace !== undefined && { namespace }),
      ...(hint !== undefined && { hint }),
    });
  });
}

function diagnose(informer: Watched, error: Error, models: readonly ResourceModel[], cluster?: string): Diagnosis {
  const { kind } = informer;
  if (error instanceof NotFoundError) return missing(informer, models);
  const model = models.find((candidate) => kindsOf(candidate).some((known) => kindKey(known) === kindKey(kind)));
  const hint = error instanceof ForbiddenError ? permissionHint(informer, error, model, cluster) : undefined;
  return {
    level: error instanceof ApiError && (error.status === 429 || error.status >= 500) ? 'warn' : 'error',
    message: `cannot list and watch ${resourceName(kind)}: ${error.message}`,
    hint: hint ?? (error instanceof OperatorError ? error.hint : undefined),
  };
}

/** A kind that no class declares is watched by `ctx.watch`. */
function permissionHint({ kind }: Watched, error: Error, model?: ResourceModel, cluster?: string): string | undefined {
  if (model) return rbacHint(error, model, undefined, cluster);
  if (cluster !== undefined) return clusterHint(cluster);
  return `add @Rbac(${kind.kind}, 'list', 'watch') to the class that calls ctx.watch(${kind.kind}), then run generate-manifests and apply the generated roles`;
}

function missing({ kind }: Watched, models: readonly ResourceModel[]): Diagnosis {
  if (isOptional(kind, models))
    return {
      level: 'info',
      message: `${kind.kind} (${apiVersionOf(kind)}) is not installed; its optional @Dependent methods are skipped`,
      hint: undefined,
    };
  const isOurs = models.some((model) => model.definesKind && resourceName(model.kind) === resourceName(kind));
  const version = apiVersionOf(kind);
  return {
    level: 'error',
    message: `the server could not find the requested resource ${resourceName(kind)} (${kind.kind}, ${version}); waiting for it`,
    hint: isOurs
      ? `install its CRD: run-operator --install, or kubectl apply -f crds-out/${kind.group}_${kind.plural}.yaml`
      : `install the CRD or the API server of ${kind.kind} (${version})`,
  };
}

function isOptional(kind: KindRef, models: readonly ResourceModel[]): boolean {
  const key = kindKey(kind);
  const users = models.filter((model) => model.isReconciled && kindsOf(model).some((known) => kindKey(known) === key));
  return users.length > 0 && users.every((model) => optionalKindsOf(model).has(key));
}

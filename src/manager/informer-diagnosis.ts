import { apiVersionOf, kindKey, resourceName } from '../api/kind-ref.js';
import type { Logger } from '../base/logger.js';
import { OperatorError } from '../base/operator-error.js';
import type { Informer } from '../cache/informer.js';
import { ApiError, ForbiddenError, NotFoundError } from '../client/api-error.js';
import { rbacHint } from '../controller/rbac-hint.js';
import { kindsOf } from '../resource/kinds/kinds-of.js';
import type { ResourceModel } from '../resource/model.js';

/** The diagnosis of a failed list or watch. */
interface Diagnosis {
  /** `warn` for a temporary cause, such as an overloaded server; `error` for one that needs an action of the user. */
  readonly level: 'warn' | 'error';
  readonly message: string;
  readonly hint: string | undefined;
}

type Watched = Pick<Informer, 'kind' | 'namespace' | 'onError'>;

/** Logs why an informer is not connected, each cause once until it is connected again. */
export function reportInformerErrors(informer: Watched, models: readonly ResourceModel[], logger: Logger): void {
  const { kind, namespace } = informer;
  informer.onError((error) => {
    const { level, message, hint } = diagnose(informer, error, models);
    logger[level](message, {
      resource: resourceName(kind),
      ...(namespace !== undefined && { namespace }),
      ...(hint !== undefined && { hint }),
    });
  });
}

function diagnose(informer: Watched, error: Error, models: readonly ResourceModel[]): Diagnosis {
  const { kind } = informer;
  if (error instanceof NotFoundError) return missing(informer, models);
  const model = models.find((candidate) => kindsOf(candidate).some((known) => kindKey(known) === kindKey(kind)));
  const hint = model && error instanceof ForbiddenError ? rbacHint(error, model) : undefined;
  return {
    level: error instanceof ApiError && (error.status === 429 || error.status >= 500) ? 'warn' : 'error',
    message: `cannot list and watch ${resourceName(kind)}: ${error.message}`,
    hint: hint ?? (error instanceof OperatorError ? error.hint : undefined),
  };
}

function missing({ kind }: Watched, models: readonly ResourceModel[]): Diagnosis {
  const isOurs = models.some((model) => model.definesKind && resourceName(model.kind) === resourceName(kind));
  const version = apiVersionOf(kind);
  return {
    level: 'error',
    message: `the server could not find the requested resource ${resourceName(kind)} (${kind.kind}, ${version}); waiting for it`,
    hint: isOurs
      ? `install its CRD: run-operator --install, or kubectl apply -f crds-out/${kind.group}_${kind.plural}.yaml`
      : `install what serves ${kind.kind} of ${version}`,
  };
}

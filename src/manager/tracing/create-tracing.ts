import { joinObservers } from '../../api/reconcile/join-observers.js';
import type { Logger } from '../../base/logger.js';
import { loadOpenTelemetry } from '../load-open-telemetry.js';
import type { ManagerOptions } from '../manager-options.js';
import { ReconcileSpans } from './reconcile-spans.js';
import { requestSpans } from './request-spans.js';

/** The options of a manager that tracing changes. */
type Traced = Pick<ManagerOptions, 'client' | 'observer'>;

/**
 * Returns the client and the observer of a manager, both with spans if `tracing` is set.
 *
 * Loads the API of OpenTelemetry only then. Without a registered SDK it records nothing, which is logged.
 *
 * @throws OperatorError if the package is not installed.
 */
export async function createTracing(
  { client, observer, tracing = false }: ManagerOptions,
  log: Logger,
): Promise<Traced> {
  if (!tracing) return { client, observer };
  const api = await loadOpenTelemetry('tracing');
  const tracer = api.trace.getTracer('kindwright');
  const spans = new ReconcileSpans(api, tracer, () => {
    log.warn('No spans are recorded: no SDK of OpenTelemetry is registered', {
      hint: 'register one before the operator starts, for example with NODE_OPTIONS="--import ./tracing.mjs"',
    });
  });
  return { client: client.intercepted(requestSpans(api, tracer, spans)), observer: joinObservers(spans, observer) };
}

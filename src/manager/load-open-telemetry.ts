import type * as otel from '@opentelemetry/api';
import { OperatorError } from '../base/operator-error.js';
import type { ManagerOptions } from './manager-options.js';

/**
 * Returns the API of OpenTelemetry for an option that needs it.
 *
 * @throws OperatorError (E_TRACING) if the package is not installed.
 */
export async function loadOpenTelemetry(option: keyof ManagerOptions): Promise<typeof otel> {
  try {
    return await import('@opentelemetry/api');
  } catch (error) {
    throw new OperatorError(`${option} requires the package @opentelemetry/api`, {
      code: 'E_TRACING',
      hint: 'npm install @opentelemetry/api, and an SDK such as @opentelemetry/sdk-node',
      cause: error,
    });
  }
}

import { OperatorError } from '../../base/operator-error.js';

/** The kubeconfig or its replacement is missing or invalid. The message contains the file and the key. */
export class ConfigError extends OperatorError {
  constructor(message: string, options: { hint?: string; cause?: unknown } = {}) {
    super(message, { code: 'E_CONFIG', ...options });
  }
}

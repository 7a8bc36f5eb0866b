import { OperatorError } from '../../base/operator-error.js';

/** The kubeconfig, or what is in its place, is missing or wrong. The message names the file and the key. */
export class ConfigError extends OperatorError {
  constructor(message: string, options: { hint?: string; cause?: unknown } = {}) {
    super(message, { code: 'E_CONFIG', ...options });
  }
}

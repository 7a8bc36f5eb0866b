import { OperatorError } from '../../base/operator-error.js';
import { isAdmissionPlugin } from '../../apiserver/admission/default-plugins.js';

/** Flags of kube-apiserver that change authorization or storage, so that ignoring them would change what a suite tests. */
const REFUSED = [
  'admission-control-config-file',
  'authentication-config',
  'authentication-token-webhook-config-file',
  'authorization-config',
  'authorization-webhook-config-file',
  'encryption-provider-config',
  'oidc-issuer-url',
];
const MODES = ['Node', 'RBAC', 'AlwaysAllow'];

export interface CheckedFlags {
  readonly authorizationMode?: readonly string[];
  readonly enableAdmissionPlugins?: readonly string[];
}

/**
 * Rejects flags that the stub of kube-apiserver does not support; ignoring them would change what a suite tests.
 *
 * @param rest arguments without an option of the stub
 * @throws OperatorError that names the first such flag
 */
export function refuseFlags(
  { authorizationMode, enableAdmissionPlugins = [] }: CheckedFlags,
  rest: readonly string[],
): void {
  const flag = REFUSED.find((name) => rest.some((word) => word === `--${name}` || word.startsWith(`--${name}=`)));
  if (flag !== undefined) throw refused(flag);
  const isRbac = authorizationMode === undefined || authorizationMode.some((mode) => mode !== 'Node');
  if (!isRbac || authorizationMode?.some((mode) => !MODES.includes(mode)) === true)
    throw refused(`authorization-mode=${authorizationMode.join(',')}`);
  const missing = enableAdmissionPlugins.find((name) => !isAdmissionPlugin(name));
  if (missing !== undefined) throw refused(`enable-admission-plugins=${missing}`);
}

function refused(flag: string): OperatorError {
  return new OperatorError(`--${flag} is not supported by the embedded API server`, {
    code: 'E_ENVTEST_FLAG',
    hint: 'remove the flag, or run this suite on the real kube-apiserver (setup-envtest use)',
  });
}

import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeFolder } from '../../base/make-folder.js';
import { writeAtomically } from '../../base/write-atomically.js';
import { OperatorError } from '../../base/operator-error.js';
import { shellQuoted } from '../shell-quoted.js';

const KINDWRIGHT = join(dirname(fileURLToPath(import.meta.url)), '..', 'bin', 'kindwright.js');

/** The subcommands of the stubs, by the name of the program they replace. */
export const STUB_COMMANDS = { 'kube-apiserver': 'envtest-kube-apiserver', etcd: 'envtest-etcd' } as const;

/** Suites run the kubectl beside kube-apiserver; this one runs the kubectl of the PATH. */
const KUBECTL = `#!/bin/sh
IFS=:
for folder in $PATH; do
  if [ -x "$folder/kubectl" ] && ! [ "$folder/kubectl" -ef "$0" ]; then exec "$folder/kubectl" "$@"; fi
done
echo 'kubectl: not found on the PATH; the embedded API server does not include it' >&2
exit 127
`;

/**
 * Writes the programs that envtest starts, as scripts, and prints the environment variable that names their folder.
 *
 * @throws OperatorError when they cannot be written.
 */
export function writeAssets(folder: string): void {
  try {
    writePrograms(folder);
  } catch (error) {
    throw new OperatorError(`${folder} cannot be written: ${(error as Error).message}`, {
      code: 'E_OUTPUT',
      hint: 'choose another folder',
      cause: error,
    });
  }
  process.stdout.write(`export KUBEBUILDER_ASSETS=${shellQuoted(resolve(folder))}\n`);
}

function writePrograms(folder: string): void {
  makeFolder(folder);
  for (const [name, command] of Object.entries(STUB_COMMANDS)) {
    const words = [process.execPath, KINDWRIGHT].map(shellQuoted).join(' ');
    writeAtomically(join(folder, name), `#!/bin/sh\nexec ${words} ${command} "$@"\n`, 0o755);
  }
  writeAtomically(join(folder, 'kubectl'), KUBECTL, 0o755);
}

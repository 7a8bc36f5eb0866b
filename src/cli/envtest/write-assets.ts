import { rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeFolder } from '../../base/make-folder.js';
import { OperatorError } from '../../base/operator-error.js';
import { shellQuoted } from '../shell-quoted.js';

const KINDWRIGHT = join(dirname(fileURLToPath(import.meta.url)), '..', 'bin', 'kindwright.js');

/** The subcommands of the stubs, by the name of the program they replace. */
export const STAND_INS = { 'kube-apiserver': 'envtest-kube-apiserver', etcd: 'envtest-etcd' } as const;

/** Suites run the kubectl that lies beside kube-apiserver; here that is whichever one the PATH has. */
const KUBECTL = `#!/bin/sh
IFS=:
for folder in $PATH; do
  if [ -x "$folder/kubectl" ] && ! [ "$folder/kubectl" -ef "$0" ]; then exec "$folder/kubectl" "$@"; fi
done
echo 'kubectl: the embedded API server comes without one, and the PATH has none' >&2
exit 127
`;

/**
 * Writes the programs that envtest starts and names, as scripts, and prints the variable it finds them by.
 *
 * @throws OperatorError when they cannot be written.
 */
export function writeAssets(folder: string): void {
  try {
    writePrograms(folder);
  } catch (error) {
    throw new OperatorError(`${folder} cannot be written: ${(error as Error).message}`, {
      code: 'E_OUTPUT',
      hint: 'name another folder',
      cause: error,
    });
  }
  process.stdout.write(`export KUBEBUILDER_ASSETS=${shellQuoted(resolve(folder))}\n`);
}

function writePrograms(folder: string): void {
  makeFolder(folder);
  for (const [name, command] of Object.entries(STAND_INS)) {
    const words = [process.execPath, KINDWRIGHT].map(shellQuoted).join(' ');
    writeProgram(join(folder, name), `#!/bin/sh\nexec ${words} ${command} "$@"\n`);
  }
  writeProgram(join(folder, 'kubectl'), KUBECTL);
}

/** A link that stands there is replaced: what it leads to is another's. */
function writeProgram(path: string, text: string): void {
  rmSync(path, { force: true });
  writeFileSync(path, text, { mode: 0o755, flag: 'wx' });
}

import { lstatSync, readFileSync } from 'node:fs';
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
    if (error instanceof OperatorError) throw error;
    throw new OperatorError(`${folder} cannot be written: ${(error as Error).message}`, {
      code: 'E_OUTPUT',
      hint: 'choose another folder',
      cause: error,
    });
  }
  process.stdout.write(`export KUBEBUILDER_ASSETS=${shellQuoted(resolve(folder))}\n`);
}

function writePrograms(folder: string): void {
  const words = [process.execPath, KINDWRIGHT].map(shellQuoted).join(' ');
  const programs = Object.entries(STUB_COMMANDS).map(([name, command]) => {
    const end = ` ${command} "$@"\n`;
    return { path: join(folder, name), text: `#!/bin/sh\nexec ${words}${end}`, end };
  });
  programs.push({ path: join(folder, 'kubectl'), text: KUBECTL, end: KUBECTL });
  for (const { path, end } of programs) assertOwn(path, end);
  makeFolder(folder);
  for (const { path, text } of programs) writeAtomically(path, text, 0o755);
}

/** @throws OperatorError if a file has another end than that of the same program of an earlier version. A link is replaced. */
function assertOwn(path: string, end: string): void {
  const isFile = lstatSync(path, { throwIfNoEntry: false })?.isFile() === true;
  if (!isFile || readFileSync(path, 'latin1').endsWith(end)) return;
  throw new OperatorError(`${path} was not written by envtest-assets; nothing was written`, {
    code: 'E_OUTPUT',
    hint: 'choose another folder, or delete the file',
  });
}

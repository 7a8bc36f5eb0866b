import type { ChildProcess } from 'node:child_process';

/** Gives a process all that it may read; one that ends without reading has not failed by that. */
export function giveInput({ stdin }: ChildProcess, text: string): void {
  stdin?.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
  stdin?.end(text);
}

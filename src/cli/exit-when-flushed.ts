import { setImmediate } from 'node:timers/promises';

/** Ends the process once its output is flushed, regardless of open timers and sockets. */
export async function exitWhenFlushed(code: number): Promise<never> {
  await setImmediate(); // lets a log line on its way through a formatter arrive
  await Promise.all([process.stdout, process.stderr].map(flushed));
  process.exit(code);
}

function flushed(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => {
    stream.write('', () => {
      resolve();
    });
  });
}

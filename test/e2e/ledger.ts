import { appendFileSync, existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { Controller, CustomResource, Daemon, type DaemonTask, Field, Kind, type Context } from 'kindwright';

class EntrySpec {
  @Field() value!: string;
}

/** Records when each process begins and ends the work on an object, in the file `LEDGER`. */
@Kind({ group: 'test.kindwright.dev', version: 'v1' })
@Controller({ maxConcurrentReconciles: 10 })
export class Entry extends CustomResource {
  @Field() spec!: EntrySpec;

  async reconcile(): Promise<void> {
    record('begin', this);
    await sleep(20);
    // A slow reconcile ends when the test has created the file.
    while (this.spec.value === 'slow' && !existsSync(`${process.env['LEDGER']!}.released`)) await sleep(20);
    record('end', this);
  }

  @Daemon()
  async stay(_ctx: Context, { signal }: DaemonTask): Promise<void> {
    record('daemon begin', this);
    await new Promise((resolve) => {
      signal.addEventListener('abort', resolve);
    });
    record('daemon end', this);
  }
}

function record(what: string, { metadata, spec }: Entry): void {
  const line = { what, name: metadata.name, value: spec.value, replica: process.env['POD_NAME'], atMs: Date.now() };
  appendFileSync(process.env['LEDGER']!, `${JSON.stringify(line)}\n`);
}

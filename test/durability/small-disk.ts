import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const MEGABYTES = 8;

/** A small file system in a mount namespace of its own, which needs no privileges. */
export class SmallDisk {
  private constructor(
    readonly folder: string,
    private readonly holder: ChildProcess,
  ) {}

  static async create(): Promise<SmallDisk> {
    const folder = mkdtempSync(join(tmpdir(), 'kindwright-small-disk-'));
    const mount = `mount -t tmpfs -o size=${MEGABYTES}m tmpfs ${folder} && echo mounted && exec sleep 1000`;
    const holder = spawn('unshare', ['--user', '--map-root-user', '--mount', 'sh', '-c', mount]);
    const [first] = (await Promise.race([once(holder.stdout, 'data'), once(holder, 'exit')])) as [unknown];
    if (String(first) !== 'mounted\n') throw new Error('no file system could be mounted in a user namespace');
    return new SmallDisk(folder, holder);
  }

  /** The beginning of a command line that runs a command where the disk is mounted. */
  get prefix(): readonly string[] {
    return ['nsenter', '--target', String(this.holder.pid), '--user', '--mount', '--preserve-credentials'];
  }

  /** Fills the disk to the last byte. */
  fill(): void {
    const [command = '', ...args] = this.prefix;
    execFileSync(command, [...args, 'sh', '-c', `cat /dev/zero > ${join(this.folder, 'filler')} 2>/dev/null || true`]);
  }

  async remove(): Promise<void> {
    const exited = once(this.holder, 'exit');
    this.holder.kill('SIGKILL');
    await exited;
    rmSync(this.folder, { recursive: true });
  }
}

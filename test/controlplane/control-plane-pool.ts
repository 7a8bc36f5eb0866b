import { mkdtemp } from 'node:fs/promises';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { PartName } from './command-line.ts';
import { PooledControlPlane } from './pooled-control-plane.ts';
import type { PoolReply, PoolRequest } from './pool-messages.ts';
import { Watchdog } from './watchdog.ts';

/** A control plane of the pool. */
interface Member {
  readonly parts: string;
  readonly controlPlane: PooledControlPlane;
  isLent: boolean;
  /** Whether the next suite can have it: pending while the changes of the last one are undone. */
  restored: Promise<boolean>;
}

/** What one connection has borrowed. */
interface Loan {
  member?: Member;
  /** Other suites cannot use it any more. */
  isWorn: boolean;
}

/**
 * Lends control planes to the suites of a run of jest, one suite at a time for each. Suites run in processes of their own
 * and connect to a socket; what a suite does not return before its connection ends is stopped, because the suite or its
 * operators may have failed in the middle of something. All control planes end with the process of the pool.
 */
export class ControlPlanePool {
  private readonly members: Member[] = [];
  private readonly server: Server;
  private readonly dir: string;
  /** Deletes the folder of the socket, also if this process is killed. */
  private readonly watchdog: Watchdog;

  private constructor(dir: string) {
    this.dir = dir;
    this.watchdog = new Watchdog(dir);
    this.server = createServer((socket) => {
      this.serve(socket);
    });
    this.server.unref();
  }

  static async start(): Promise<ControlPlanePool> {
    const pool = new ControlPlanePool(await mkdtemp(join(tmpdir(), 'control-planes-')));
    pool.server.listen(pool.socket);
    await once(pool.server, 'listening');
    return pool;
  }

  /** The path of the socket. */
  get socket(): string {
    return join(this.dir, 'socket');
  }

  /** Stops all control planes; those that suites still use, too. */
  async end(): Promise<void> {
    this.server.close();
    const stopped = this.members.splice(0).map(async ({ controlPlane, restored }) => {
      await restored; // it would start parts again
      await controlPlane.stop();
    });
    await Promise.all(stopped);
    await this.watchdog.end();
  }

  private serve(socket: Socket): void {
    socket.unref();
    const loan: Loan = { isWorn: false };
    let last: Promise<unknown> = Promise.resolve();
    createInterface({ input: socket }).on('line', (line) => {
      last = last
        .then(() => this.handle(JSON.parse(line) as PoolRequest, loan))
        .catch((error: unknown): PoolReply => ({ error: String(error) }))
        .then((reply) => socket.write(`${JSON.stringify(reply)}\n`));
    });
    socket.on('error', () => undefined); // it closes then
    socket.on('close', () => {
      void last.then(() => loan.member && this.discard(loan.member, 'its suite did not stop it'));
    });
  }

  private async handle(request: PoolRequest, loan: Loan): Promise<PoolReply> {
    if (request.do === 'end') {
      await this.end();
      return {};
    }
    if (request.do === 'lend') {
      loan.member = await this.lend(request.parts);
      return { dir: loan.member.controlPlane.dir };
    }
    const { member } = loan;
    if (!member) throw new Error('no control plane is lent on this connection');
    const { controlPlane } = member;
    if (request.do === 'return') {
      delete loan.member;
      if (loan.isWorn) await this.remove(member);
      else this.takeBack(member);
      return {};
    }
    loan.isWorn ||= !controlPlane.canRestart(request.name);
    if (request.do === 'startPart') await controlPlane.startPart(request.name);
    else await controlPlane.stopPart(request.name, request.signal);
    return {};
  }

  private async lend(parts: readonly PartName[]): Promise<Member> {
    const wanted = parts.join(' ');
    for (;;) {
      const member = this.members.find((each) => !each.isLent && each.parts === wanted);
      if (!member) break;
      member.isLent = true;
      if (await member.restored) return member;
    }
    const controlPlane = await PooledControlPlane.start(parts);
    const member = { parts: wanted, controlPlane, isLent: true, restored: Promise.resolve(true) };
    this.members.push(member);
    return member;
  }

  /** Makes it the last of the list, so that one whose changes have been undone is lent first. */
  private takeBack(member: Member): void {
    this.members.splice(this.members.indexOf(member), 1);
    this.members.push(member);
    member.isLent = false;
    member.restored = member.controlPlane.restore().then(
      () => true,
      async (error: unknown) => {
        await this.discard(member, String(error));
        return false;
      },
    );
  }

  private async discard(member: Member, reason: string): Promise<void> {
    if (await this.remove(member)) process.stderr.write(`A control plane of the pool is stopped: ${reason}\n`);
  }

  /** Resolves with whether it was part of the pool. */
  private async remove(member: Member): Promise<boolean> {
    const index = this.members.indexOf(member);
    if (index < 0) return false;
    this.members.splice(index, 1);
    await member.controlPlane.stop();
    return true;
  }
}

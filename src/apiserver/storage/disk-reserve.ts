import { closeSync, existsSync, fsyncSync, openSync, rmSync, writeSync } from 'node:fs';

/** Enough for the journal's log with the largest object, so that the log can be moved into the database. */
const RESERVE_BYTES = 3 * 1024 * 1024;

/**
 * A file that keeps disk space for deletions. When the disk is full, it is removed for the next deletion, which then
 * makes room for other writes.
 */
export class DiskReserve {
  private isHeld: boolean;

  constructor(private readonly file: string) {
    this.isHeld = existsSync(file);
  }

  /** Frees the space. Returns whether there was any. */
  release(): boolean {
    if (!this.isHeld) return false;
    this.isHeld = false;
    rmSync(this.file, { force: true });
    return true;
  }

  /** Occupies the space again if the disk has room for it. */
  restore(): void {
    if (this.isHeld) return;
    try {
      // Holes of a sparse file would not occupy space.
      writeFully(this.file, Buffer.alloc(RESERVE_BYTES));
      this.isHeld = true;
    } catch {
      rmSync(this.file, { force: true });
    }
  }
}

function writeFully(file: string, bytes: Buffer): void {
  const descriptor = openSync(file, 'w', 0o600);
  try {
    for (let written = 0; written < bytes.length;) written += writeSync(descriptor, bytes, written);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

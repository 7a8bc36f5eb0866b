/** Sizes and offsets of https://www.sqlite.org/fileformat2.html#the_write_ahead_log; numbers are big-endian. */
const HEADER = 32;
const FRAME_HEADER = 24;
const MAGIC = 0x377f0682;
const MAGIC_BIG_ENDIAN = 0x377f0683;

type Sums = readonly [number, number];

/**
 * Returns whether committed writes follow a damaged part of SQLite's write-ahead log. SQLite would silently discard
 * them, like an incomplete write. A power loss can damage the last commit, which was not acknowledged, but not two.
 */
export function hidesCommits(log: Buffer): boolean {
  if (log.length < HEADER) return false;
  const magic = log.readUInt32BE(0);
  if (magic !== MAGIC && magic !== MAGIC_BIG_ENDIAN) return true;
  const isBigEndian = magic === MAGIC_BIG_ENDIAN;
  const sums = checksum(log.subarray(0, 24), [0, 0], isBigEndian);
  if (!isAt(log, 24, sums)) return true;
  const frames = [...framesOf(log, sums, isBigEndian)];
  const damaged = frames.findIndex(({ isIntact }) => !isIntact);
  return damaged !== -1 && frames.slice(damaged).filter(({ isCommit }) => isCommit).length > 1;
}

interface Frame {
  /** True if this frame and all frames before it are intact. */
  readonly isIntact: boolean;
  readonly isCommit: boolean;
}

/** The frames written since the log was last reset; those after them are older. */
function* framesOf(log: Buffer, header: Sums, isBigEndian: boolean): Generator<Frame> {
  const size = FRAME_HEADER + log.readUInt32BE(8);
  let sums = header;
  for (let start = HEADER; start + size <= log.length; start += size) {
    if (log.compare(log, 16, 24, start + 8, start + 16) !== 0) continue; // a frame from before the reset
    sums = checksum(log.subarray(start, start + 8), sums, isBigEndian);
    sums = checksum(log.subarray(start + FRAME_HEADER, start + size), sums, isBigEndian);
    yield { isIntact: isAt(log, start + 16, sums), isCommit: log.readUInt32BE(start + 4) !== 0 };
  }
}

function isAt(log: Buffer, offset: number, [first, second]: Sums): boolean {
  return log.readUInt32BE(offset) === first && log.readUInt32BE(offset + 4) === second;
}

function checksum(bytes: Buffer, [first, second]: Sums, isBigEndian: boolean): Sums {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  for (let offset = 0; offset < bytes.length; offset += 8) {
    first = (first + view.getUint32(offset, !isBigEndian) + second) >>> 0;
    second = (second + view.getUint32(offset + 4, !isBigEndian) + first) >>> 0;
  }
  return [first, second];
}

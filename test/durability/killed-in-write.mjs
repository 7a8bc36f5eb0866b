import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { basename } from 'node:path';

/** Loaded before a program: kills it when half of the file that KILLED_IN_WRITE names is written. */
const name = process.env.KILLED_IN_WRITE;
const { writeFileSync } = fs;
fs.writeFileSync = (path, content, options) => {
  if (!basename(path).startsWith(name)) return writeFileSync(path, content, options);
  writeFileSync(path, content.slice(0, content.length / 2), options);
  process.kill(process.pid, 'SIGKILL');
};
syncBuiltinESMExports();

import { closeSync, fsyncSync, openSync, renameSync, writeSync } from 'node:fs';
import path from 'node:path';

/** Writes a file that is, even after a power failure, either complete or absent. */
export function writeDurably(file: string, content: string, mode: number): void {
  const temporary = `${file}.new`;
  const fd = openSync(temporary, 'w', mode);
  try {
    writeSync(fd, content);
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
  renameDurably(temporary, file);
}

/** Renames a file or folder so that the new name outlasts a power failure. */
export function renameDurably(from: string, to: string): void {
  renameSync(from, to);
  const folder = openSync(path.dirname(to), 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}

import { closeSync, openSync, readSync, renameSync, statSync } from 'node:fs';
import path from 'node:path';

const MAX_BYTES = 10 * 1024 * 1024;
const TAIL_BYTES = 8 * 1024;
const TAIL_LINES = 20;

/** PostgreSQL's own log. */
export function logFile(dataDir: string): string {
  return path.join(dataDir, 'postgres.log');
}

/** Sets a grown log aside, in place of the one before it; only while no PostgreSQL writes to it. */
export function rotateLog(dataDir: string): void {
  const file = logFile(dataDir);
  if (logSize(dataDir) > MAX_BYTES) renameSync(file, `${file}.1`);
}

export function logSize(dataDir: string): number {
  return statSync(logFile(dataDir), { throwIfNoEntry: false })?.size ?? 0;
}

/** The last lines written since the log had `from` bytes. */
export function logTail(dataDir: string, from = 0): string {
  const start = Math.max(from, logSize(dataDir) - TAIL_BYTES);
  const buffer = Buffer.alloc(TAIL_BYTES);
  const fd = openSync(logFile(dataDir), 'r');
  try {
    const length = readSync(fd, buffer, 0, TAIL_BYTES, start);
    return buffer.toString('utf8', 0, length).trim().split('\n').slice(-TAIL_LINES).join('\n');
  } finally {
    closeSync(fd);
  }
}

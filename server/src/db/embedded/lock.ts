import { readFileSync, readlinkSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { isAlive, startTime } from './processes';

const BEAT_MS = 2_000;
const SILENT_MS = 3 * BEAT_MS;
const LONG_SILENT_MS = 60_000;
const HALF_WRITTEN_MS = 2_000;

interface Holder {
  pid: number;
  started: string;
  /** Names the machine, boot and container in which `pid` means something. */
  space: string;
}

export interface Lock {
  /** Releases the data directory; safe to call twice, and at process exit. */
  release(): void;
}

/** Claims `dataDir` for this process until release(); throws when another live process holds it. */
export async function takeLock(
  dataDir: string,
  name = 'postgres.lock',
  refusal = (pid: number): string =>
    `DATA_DIR ${dataDir} is in use by process ${pid}: stop it, or set DATA_DIR/PORT to run a second one.`,
): Promise<Lock> {
  const file = path.join(dataDir, name);
  const mine = JSON.stringify({ pid: process.pid, started: startTime(process.pid) ?? '', space: space() });
  for (;;) {
    try {
      writeFileSync(file, mine, { flag: 'wx', mode: 0o600 });
      break;
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      // A full disk lets a file be made, but not written.
      if (code === 'ENOSPC') rmSync(file, { force: true });
      if (code !== 'EEXIST') throw error;
    }
    await removeStale(file, refusal);
  }
  // Only processes that cannot see our pid (another container, another machine) rely on the heartbeat.
  const beat = setInterval(() => ignoreErrors(() => utimesSync(file, new Date(), new Date())), BEAT_MS);
  beat.unref();
  const release = () => {
    clearInterval(beat);
    process.off('exit', release);
    if (read(file) === mine) rmSync(file, { force: true });
  };
  process.once('exit', release);
  return { release };
}

/** Whether a live process holds `dataDir`. */
export async function isTaken(dataDir: string): Promise<boolean> {
  const file = path.join(dataDir, 'postgres.lock');
  const holder = parse(read(file) ?? '');
  return holder !== undefined && (await isHeld(file, holder));
}

/** Removes the lock of a process that has ended; throws when its holder lives. */
async function removeStale(file: string, refusal: (pid: number) => string): Promise<void> {
  const content = read(file);
  if (content === undefined) return;
  const holder = parse(content);
  if (!holder) {
    // The process that creates it has not written it yet, or died before it could.
    if (age(file) < HALF_WRITTEN_MS) {
      await delay(20);
      return;
    }
  } else if (await isHeld(file, holder)) {
    throw new Error(refusal(holder.pid));
  }
  // Two processes may find it stale at once: the one that moved the other's new lock away puts it back.
  const aside = `${file}.${process.pid}`;
  ignoreErrors(() => renameSync(file, aside));
  const moved = read(aside);
  if (moved !== undefined && moved !== content)
    ignoreErrors(() => writeFileSync(file, moved, { flag: 'wx' }));
  rmSync(aside, { force: true });
}

async function isHeld(file: string, holder: Holder): Promise<boolean> {
  if (holder.space === space()) {
    return holder.started ? startTime(holder.pid) === holder.started : isAlive(holder.pid);
  }
  // After a reboot the old heartbeat is long past; otherwise watch whether it continues.
  if (age(file) > LONG_SILENT_MS) return false;
  const last = mtime(file);
  for (const end = Date.now() + SILENT_MS; Date.now() < end; await delay(100)) {
    if (mtime(file) !== last) return true;
  }
  return false;
}

function space(): string {
  try {
    // Pids are counted anew by each boot and in each container.
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    return `${boot} ${readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    return os.hostname();
  }
}

function parse(content: string): Holder | undefined {
  try {
    return JSON.parse(content) as Holder;
  } catch {
    return undefined;
  }
}

function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

function mtime(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

function age(file: string): number {
  return Date.now() - mtime(file);
}

function ignoreErrors(action: () => void): void {
  try {
    action();
  } catch {
    // Its effect is checked afterwards.
  }
}

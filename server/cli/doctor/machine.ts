import { existsSync, statfsSync } from 'node:fs';
import { freemem } from 'node:os';
import { dirname } from 'node:path';
import { broken, type Check, type Finding, fine, warning } from './finding';

const MIB = 1024 * 1024;
/** Free space of DATA_DIR below which doctor warns, or fails, in bytes. */
const DISK = { warning: 1024 * MIB, broken: 128 * MIB };
/** Memory that one process may need under load, in bytes. */
const PROCESS = 250 * MIB;

/** Node, memory and disk. */
export const checkMachine: Check = async ({ dataDir, workers }) => [
  fine(`Node: ${process.versions.node} on ${process.platform}-${process.arch}`),
  checkMemory(workers),
  checkDisk(dataDir),
];

function checkMemory(workers: number): Finding {
  const limit = process.constrainedMemory();
  // Without a limit the value is 0, or larger than any machine.
  const available = limit > 0 && limit < 2 ** 50 ? Math.min(process.availableMemory(), limit) : freemem();
  const needed = (workers > 1 ? workers + 1 : 1) * PROCESS;
  const text = `Memory: ${Math.round(available / MIB)} MiB available, up to ${needed / MIB} MiB needed`;
  return available >= needed ? fine(text) : warning(text, 'lower WORKERS or give the machine more');
}

function checkDisk(dataDir: string): Finding {
  const { bavail, bsize } = statfsSync(existing(dataDir));
  const free = bavail * bsize;
  const text = `Disk: ${Math.round(free / MIB)} MiB free at DATA_DIR ${dataDir}`;
  if (free >= DISK.warning) return fine(text);
  const advice = 'free some space, or set DATA_DIR to another disk';
  return free >= DISK.broken ? warning(text, advice) : broken(text, advice);
}

const existing = (folder: string): string => (existsSync(folder) ? folder : existing(dirname(folder)));

import { closeSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { isWithin, type Logs } from './logs';

/** Logs that a witness keeps a checkpoint of for all names with a pattern, at most: they must not fill the disk. */
const MOST_LOGS = 100_000;
/** Those of one name, at most: whoever holds its key must not keep out the logs of the others. */
const MOST_OF_ONE = 10_000;
/** Bytes of a file in which the origin of its log is read. */
const BEGINNING = 1_024;

export interface Most {
  ofAll: number;
  ofOne: number;
}

/** How many logs there may still be, by the name in the file of logs that stands for them: the longest that fits. */
export class Room {
  private counted: { patterns: readonly string[]; logs: Map<string, number> } | undefined;

  constructor(
    private readonly folder: string,
    private readonly logs: Pick<Logs, 'patterns' | 'isNamed'>,
    private readonly most: Most = { ofAll: MOST_LOGS, ofOne: MOST_OF_ONE },
  ) {}

  /**
   * Why a new log has no room; undefined when it has. One with a line of its own always has: the file bounds these.
   * @param files the names of the files of all logs
   */
  refusal(origin: string, files: ReadonlySet<string>): string | undefined {
    if (this.logs.isNamed(origin)) return undefined;
    const { ofAll, ofOne } = this.most;
    if (files.size >= ofAll)
      return `This witness keeps ${ofAll} logs already: its operator can give this one a line of its own.`;
    const pattern = this.patternOf(origin);
    if (pattern === undefined || (this.countLogs(files).get(pattern) ?? 0) < ofOne) return undefined;
    return `This witness keeps ${ofOne} logs of ${pattern} already: its operator can give this one a line of its own.`;
  }

  add(origin: string): void {
    const pattern = this.patternOf(origin);
    // What was not counted yet will be read from the files.
    if (pattern === undefined || this.counted?.patterns !== this.logs.patterns) return;
    this.counted.logs.set(pattern, (this.counted.logs.get(pattern) ?? 0) + 1);
  }

  private patternOf(origin: string): string | undefined {
    return this.logs.patterns.find((pattern) => isWithin(origin, pattern));
  }

  /** Reads all files once, and again when there are other names. */
  private countLogs(files: ReadonlySet<string>): ReadonlyMap<string, number> {
    const { patterns } = this.logs;
    if (this.counted?.patterns === patterns) return this.counted.logs;
    const logs = new Map<string, number>();
    const buffer = Buffer.alloc(BEGINNING);
    for (const file of files) {
      const origin = originIn(join(this.folder, file), buffer);
      const pattern = origin === undefined ? undefined : this.patternOf(origin);
      if (pattern !== undefined) logs.set(pattern, (logs.get(pattern) ?? 0) + 1);
    }
    this.counted = { patterns, logs };
    return logs;
  }
}

/**
 * The first line of a file, of a long one its beginning; the buffer is for this alone. Undefined when the file is gone: who
 * runs the witness may make room.
 */
function originIn(file: string, buffer: Buffer): string | undefined {
  let fd: number;
  try {
    fd = openSync(file, 'r');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  try {
    return buffer.toString('utf8', 0, readSync(fd, buffer)).split('\n', 1)[0] as string;
  } finally {
    closeSync(fd);
  }
}

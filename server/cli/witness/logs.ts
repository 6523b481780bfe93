import { readFileSync, statSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { bytesOf } from '../../src/domain/ledger/note';
import { keyIdOf, LOG_KEY, readVkey, type VerifierKey } from '../../src/domain/ledger/open-note';

/** How often the file is looked at again, in milliseconds. */
const LOOK = 1_000;

interface Known {
  stamp: string;
  keys: VerifierKey[];
  /** Names of keys that stand for many logs, the longest first. */
  patterns: readonly string[];
}

/** The logs that a witness knows, by a file of verifier keys that may change while it runs. */
export class Logs {
  private known: Known;
  private lookedAt = performance.now();

  /** Throws for a file that cannot be read. @param onFault told once of a change that cannot be read */
  constructor(
    private readonly file: string,
    private readonly onFault: (error: unknown) => void,
  ) {
    this.known = readLogs(file, stampOf(file));
  }

  get size(): number {
    return this.known.keys.length;
  }

  /** The keys of a log; none when this witness does not know it. */
  keysOf = (origin: string): VerifierKey[] => {
    this.look();
    return this.known.keys.flatMap((key) => {
      if (key.name === origin) return [key];
      if (!isPattern(key.name) || !isWithin(origin, key.name)) return [];
      return [{ ...key, name: origin, id: keyIdOf(origin, LOG_KEY, bytesOf(key.publicKey)) }];
    });
  };

  /** The same ones, as an object, until the file changes. */
  get patterns(): readonly string[] {
    return this.known.patterns;
  }

  /** Whether a log has a line of its own, so that it is one of few. */
  isNamed(origin: string): boolean {
    return this.known.keys.some(({ name }) => name === origin);
  }

  private look(): void {
    if (performance.now() - this.lookedAt < LOOK) return;
    this.lookedAt = performance.now();
    let stamp = '';
    try {
      stamp = stampOf(this.file);
      if (stamp !== this.known.stamp) {
        const { patterns } = this.known;
        const known = readLogs(this.file, stamp);
        // The same names stay the same list, for those who keep something by it.
        this.known = isDeepStrictEqual(known.patterns, patterns) ? { ...known, patterns } : known;
      }
    } catch (error) {
      // The keys that were read before stay.
      if (stamp !== this.known.stamp) this.onFault(error);
      this.known.stamp = stamp;
    }
  }
}

const isPattern = (name: string): boolean => name.endsWith('/*');

/** Whether a log is one of those that a name with a pattern stands for. */
export const isWithin = (origin: string, pattern: string): boolean => origin.startsWith(pattern.slice(0, -1));

function readLogs(file: string, stamp: string): Known {
  const keys = readKeys(readFileSync(file, 'utf8'));
  const names = new Set(keys.map(({ name }) => name).filter(isPattern));
  return { stamp, keys, patterns: [...names].sort((a, b) => b.length - a.length) };
}

function stampOf(file: string): string {
  const { mtimeMs, size, ino } = statSync(file);
  return `${mtimeMs} ${size} ${ino}`;
}

/** One verifier key a line; empty lines and those that begin with # say nothing. */
function readKeys(text: string): VerifierKey[] {
  const lines = text.split('\n').map((line) => line.trim());
  return lines.flatMap((line, at) => {
    if (line === '' || line.startsWith('#')) return [];
    const key = readVkey(line);
    if (key?.type !== LOG_KEY) {
      throw new Error(
        `line ${at + 1} of the logs is no verifier key of a log: write name+id+key, as the log prints it`,
      );
    }
    return [key];
  });
}

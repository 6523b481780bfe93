import { readFile, stat } from 'node:fs/promises';
import { isIP } from 'node:net';
import { type CityResponse, Reader } from 'maxmind';
import type { Config } from '../../config';
import { clock } from '../../domain/clock';
import { regionOf } from '../../domain/regions/codes';
import { logFailure } from '../../observability/failures';
import type { Logger } from '../../observability/logger';

/** How often the file is looked at for a change, in milliseconds. */
const LOOK = 30_000;

/** What stands before an IPv4 address that is written as one of version 6. */
const MAPPED = '::ffff:';

/** Told of a file that cannot be read, once for each time it turns bad. */
type OnFailure = (error: Error) => void;

/**
 * A file in the MMDB format, held in memory, that says where addresses are. A new file is read beside the old one, which
 * stays when the new one cannot be read.
 */
export class RegionDatabase {
  private reader: Reader<CityResponse> | undefined;
  /** What was read, by size and time of change. */
  private seen = '';
  /** By the monotonic clock. */
  private lookedAt = Number.NEGATIVE_INFINITY;
  private looking: Promise<void> | undefined;
  private failed = false;

  constructor(
    private readonly path: string,
    private readonly onFailure: OnFailure = () => undefined,
    private readonly pace = LOOK,
  ) {}

  /** The region of an address; undefined when the file does not say. The address is kept nowhere. */
  async regionOf(address: string): Promise<string | undefined> {
    const looked = this.look();
    // Only the first request waits for the file; while a new one is read, the old one answers.
    if (this.reader === undefined) await looked;
    try {
      return this.reader === undefined ? undefined : regionIn(this.reader, address);
    } catch (error) {
      // A part of the file that nobody has asked for before.
      if (!this.failed) this.onFailure(error as Error);
      this.failed = true;
      return undefined;
    }
  }

  private look(): Promise<void> | undefined {
    if (performance.now() - this.lookedAt < this.pace) return this.looking;
    this.lookedAt = performance.now();
    this.looking ??= this.read().finally(() => {
      this.looking = undefined;
    });
    return this.looking;
  }

  private async read(): Promise<void> {
    try {
      const { size, mtimeMs, ino } = await stat(this.path);
      const now = `${ino} ${size} ${mtimeMs}`;
      if (now === this.seen) return;
      this.reader = await openDatabase(this.path);
      this.seen = now;
      this.failed = false;
    } catch (error) {
      if (!this.failed) this.onFailure(error as Error);
      this.failed = true;
    }
  }
}

/** The operator's own; a file that cannot be read is told in the log, and leaves the time zone. */
export const regionDatabaseOf = (
  { regionDatabase: path }: Pick<Config, 'regionDatabase'>,
  log: Logger,
): RegionDatabase | undefined =>
  path === undefined
    ? undefined
    : new RegionDatabase(path, (error) =>
        logFailure(log, 'warn', { error }, 'the file of REGION_DATABASE could not be read'),
      );

/** Opens a file. Throws in words when it is none, or not in the format. */
export async function openDatabase(path: string): Promise<Reader<CityResponse>> {
  const reader = new Reader<CityResponse>(await readFile(path));
  // A look-up finds a file that was cut short.
  regionIn(reader, '192.0.2.1');
  return reader;
}

function regionIn(reader: Reader<CityResponse>, address: string): string | undefined {
  // A proxy may write what is no address, and a socket the zone of one that is local.
  const [bare = ''] = address.split('%', 1);
  // A file of version 4 would be read as if the beginning of another address were one of these.
  const isKnown =
    isIP(bare) === 4 || (isIP(bare) === 6 && (reader.metadata.ipVersion === 6 || bare.startsWith(MAPPED)));
  if (!isKnown) return undefined;
  // Sockets that take both kinds write IPv4 addresses so.
  const isMapped = bare.startsWith(MAPPED) && bare.includes('.');
  const found = reader.get(isMapped ? bare.slice(MAPPED.length) : bare);
  return regionOf(textOf(found?.country?.iso_code), textOf(found?.subdivisions?.[0]?.iso_code));
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/** How old a file's data are, in days. */
export const ageOf = (reader: Reader<CityResponse>): number =>
  Math.floor((clock.now() - reader.metadata.buildEpoch.getTime()) / 86_400_000);

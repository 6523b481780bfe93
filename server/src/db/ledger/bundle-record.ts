import { createHash } from 'node:crypto';
import type { Knex } from 'knex';
import { canonicalPieces } from '../../domain/ledger/canonical';
import { rest } from '../../domain/rests';
import { inChunks } from '../../domain/yielding';
import { BundleRow } from '../models';

/** The columns of a bundle that the log speaks of, without those of its files. */
export const BUNDLE_COLUMNS = [
  ...(['hash', 'integrity', 'bytes', 'settings_version', 'vendor_list_version'] as const),
  ...(['program_digest', 'created_at'] as const),
] as const;

/** The files of a bundle besides its script, and the columns whose canonical text they are. */
export const BUNDLE_FILES = [
  ['texts.json', 'texts'],
  ['vendors.json', 'vendors'],
  ['settings.json', 'config'],
] as const;

type FileColumn = (typeof BUNDLE_FILES)[number][1];

/** SHA-256 of each file of a bundle besides its script, in hexadecimal digits. */
export type BundleHashes = Record<string, string>;

/** What a published bundle says in the log: its script by its integrity, its other files by their canonical text. */
export const bundleRecord = (row: Pick<BundleRow, (typeof BUNDLE_COLUMNS)[number]>, files: BundleHashes) => ({
  hash: row.hash,
  integrity: row.integrity,
  bytes: row.bytes,
  settings_version: row.settings_version,
  vendor_list_version: row.vendor_list_version,
  program_digest: row.program_digest,
  created_at: row.created_at.toISOString(),
  files,
});

/**
 * The hashes of a bundle's files.
 * @param read the value of a column: they are asked for one by one
 * @param pause what is waited for before it goes on
 */
export async function bundleHashes(
  read: (column: FileColumn) => unknown,
  pause?: () => Promise<void>,
): Promise<BundleHashes> {
  const files: BundleHashes = {};
  for (const [name, column] of BUNDLE_FILES) {
    const hash = createHash('sha256');
    for await (const piece of inChunks(canonicalPieces(await read(column)), pause)) hash.update(piece);
    files[name] = hash.digest('hex');
  }
  return files;
}

/** The hashes of a stored bundle's files, of which one is in memory at a time. */
export const storedHashes = (
  db: Knex,
  environmentId: string,
  hash: string,
  pause?: () => Promise<void>,
): Promise<BundleHashes> => bundleHashes((column) => readFile(db, environmentId, hash, column), pause);

/** What a file of a stored bundle is the canonical text of. */
export async function readFile(
  db: Knex,
  environmentId: string,
  hash: string,
  column: FileColumn,
): Promise<unknown> {
  const row = await BundleRow.query(db).findById([environmentId, hash]).select(column).throwIfNotFound();
  return row[column];
}

/** What a stored bundle says in the log, made with rests; undefined when there is no such bundle. */
export async function readBundleRecord(db: Knex, environmentId: string, hash: string) {
  const row = await BundleRow.query(db)
    .findById([environmentId, hash])
    .select([...BUNDLE_COLUMNS]);
  return row && bundleRecord(row, await storedHashes(db, environmentId, hash, rest));
}

import { notFound } from '../domain/errors';
import type { Site } from '../ingest/site';
import type { BundleFiles, Wanted } from './files';
import { type Packed, StoredFile } from './packed';

/**
 * The address of the current bundle may be cached for a minute, and for another day while the server is
 * unreachable.
 */
const MOVING = 'public, max-age=60, stale-while-revalidate=60, stale-if-error=86400';
/** For content that never changes. */
const IMMUTABLE = 'public, max-age=31536000, immutable';

/** The files of visitors. */
export type FileId = 'getBundle' | 'getBundleVersion' | 'getBundleTexts' | 'getBundleVendors';
type FileParams = { token?: string; hash?: string; language?: string };

const PART = {
  getBundle: 'script',
  getBundleVersion: 'script',
  getBundleTexts: 'texts',
  getBundleVendors: 'vendors',
} as const;

/** The file that an operation refers to; undefined before the site's first bundle. */
function wantedOf(id: FileId, site: Site, { hash = site.bundle, language }: FileParams): Wanted | undefined {
  if (hash === undefined) return undefined;
  const { id: environmentId, maker } = site;
  return { environmentId, maker, hash, part: PART[id], ...(language === undefined ? {} : { language }) };
}

const stored = (id: FileId, file: Packed): StoredFile =>
  new StoredFile(file, id === 'getBundle' ? MOVING : IMMUTABLE);

/** The answer, without waiting, if it is in memory; used by the file host. */
export function fileInMemory(
  files: BundleFiles,
  id: FileId,
  site: Site,
  params: FileParams,
): StoredFile | undefined {
  const wanted = wantedOf(id, site, params);
  const file = wanted && files.peek(wanted);
  return file && stored(id, file);
}

/** The answer of an operation. Throws 404. */
export async function findFile(
  files: BundleFiles,
  id: FileId,
  site: Site,
  params: FileParams,
): Promise<StoredFile> {
  const wanted = wantedOf(id, site, params);
  const file = wanted && (await files.find(wanted));
  if (wanted === undefined) throw notFound('A published bundle of this environment');
  if (file === undefined) throw notFound('This bundle, or this language of it,');
  return stored(id, file);
}

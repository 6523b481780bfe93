import type { operations } from '../../../spec/generated/api';
import { composeBundle, type Workshop } from '../bundle/compose';
import type { Wanted } from '../bundle/files';
import type { Packed } from '../bundle/packed';
import { publishBundle } from '../bundle/publish';
import type { Context } from '../context';
import { BundleRow, EnvironmentRow } from '../db/models';
import { changeSettings } from '../domain/settings';
import { notFound } from '../errors';
import type { Site } from '../ingest/site';
import { toBundle, toRecord } from './bundle-view';
import { type Handler, Stored } from './handler';
import { readPage, SHAPE_TIME } from './paging';

/** The moving address: as old as a minute, and a day older while the server is away. */
const MOVING = 'public, max-age=60, stale-while-revalidate=60, stale-if-error=86400';
/** What never changes. */
const IMMUTABLE = 'public, max-age=31536000, immutable';
const SHAPE_HASH = /^[A-Za-z0-9_-]{8,88}$/;

/** What makes this server's bundles. */
export const workshopOf = ({ program, publicUrl }: Pick<Context, 'program' | 'publicUrl'>): Workshop => ({
  program,
  server: publicUrl(),
});

export const generateBundle: Handler<operations['generateBundle']> = async (
  context,
  { environment, body, caller, trx, afterCommit },
) => {
  afterCommit(() => context.sites.forget(environment.token));
  const row = await publishBundle(trx, workshopOf(context), environment.id, body ?? {}, caller.userId);
  const published = await EnvironmentRow.query(trx).findById(environment.id).throwIfNotFound();
  return toBundle(row, { server: context.publicUrl(), environment: published });
};

export const previewBundle: Handler<operations['previewBundle']> = async (
  context,
  { environment, body, trx },
) => {
  const { settings: patch = {}, ...options } = body ?? {};
  const settings = changeSettings(environment.settings, patch);
  const unsaved = { ...environment, settings };
  const made = await composeBundle(trx, workshopOf(context), unsaved, options);
  const { script, bytes, gzipBytes: gzip_bytes, config, warnings } = made;
  return { script, bytes, gzip_bytes, config, warnings };
};

export const listBundles: Handler<operations['listBundles']> = async (
  { db, publicUrl },
  { environment, query },
) =>
  readPage({
    query: BundleRow.query(db).where({ environment_id: environment.id }).modify('listed'),
    order: ['created_at', 'hash'],
    direction: 'desc',
    shapes: [SHAPE_TIME, SHAPE_HASH],
    limit: query.limit,
    cursor: query.cursor,
    toItem: (row) => toBundle(row, { server: publicUrl(), environment }),
  });

export const getBundleRecord: Handler<operations['getBundleRecord']> = async (
  { db, publicUrl },
  { environment, params },
) => {
  const row = await BundleRow.query(db).findById([environment.id, params.hash]);
  if (row === undefined) throw notFound('This bundle');
  return toRecord(row, { server: publicUrl(), environment });
};

/** The files of visitors. */
export type FileId = 'getBundle' | 'getBundleVersion' | 'getBundleTexts' | 'getBundleVendors';
type FileParams = { token?: string; hash?: string; language?: string };

const PART = {
  getBundle: 'script',
  getBundleVersion: 'script',
  getBundleTexts: 'texts',
  getBundleVendors: 'vendors',
} as const;

/** Which file an operation asks for; undefined before the site's first bundle. */
function wantedOf(id: FileId, site: Site, { hash = site.bundle, language }: FileParams): Wanted | undefined {
  if (hash === undefined) return undefined;
  return { environmentId: site.id, hash, part: PART[id], ...(language === undefined ? {} : { language }) };
}

const stored = (id: FileId, file: Packed): Stored =>
  new Stored(file, id === 'getBundle' ? MOVING : IMMUTABLE);

/** What an operation answers, without waiting, when it is in memory: for the host that answers most requests. */
export function fileInMemory(
  { files }: Context,
  id: FileId,
  site: Site,
  params: FileParams,
): Stored | undefined {
  const wanted = wantedOf(id, site, params);
  const file = wanted && files.peek(wanted);
  return file && stored(id, file);
}

const fileOf =
  (id: FileId) =>
  async ({ files }: Context, { site, params }: { site: Site; params: FileParams }): Promise<Stored> => {
    const wanted = wantedOf(id, site, params);
    const file = wanted && (await files.find(wanted));
    if (wanted === undefined) throw notFound('A published bundle of this environment');
    if (file === undefined) throw notFound('This bundle, or this language of it,');
    return stored(id, file);
  };

export const getBundle: Handler<operations['getBundle']> = fileOf('getBundle');
export const getBundleVersion: Handler<operations['getBundleVersion']> = fileOf('getBundleVersion');
export const getBundleTexts: Handler<operations['getBundleTexts']> = fileOf('getBundleTexts');
export const getBundleVendors: Handler<operations['getBundleVendors']> = fileOf('getBundleVendors');

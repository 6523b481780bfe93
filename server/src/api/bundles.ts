import { bundleMakerOf, composeBundle } from '../bundles/compose';
import { publishBundle } from '../bundles/publish';
import { type BundleOwner, toBundle, toRecord } from '../bundles/view';
import { findFile } from '../bundles/visitor-files';
import type { Context } from '../context';
import { BundleRow, EnvironmentRow } from '../db/models';
import { readPage, SHAPE_TIME } from '../db/paging';
import { changeWarnings, testChange } from '../domain/banner/tests';
import { notFound } from '../domain/errors';
import { changeSettings } from '../domain/settings';
import type { Handler } from './handler';

const ownerOf = ({ publicUrl, program }: Context, environment: BundleOwner['environment']): BundleOwner => ({
  server: publicUrl(),
  stubs: program,
  environment,
});

const SHAPE_HASH = /^[A-Za-z0-9_-]{8,88}$/;

export const generateBundle: Handler<'generateBundle'> = async (
  context,
  { environment, body, caller, role, trx, afterCommit },
) => {
  afterCommit(() => context.sites.forget(environment.token));
  const row = await publishBundle(trx, bundleMakerOf(context), environment.id, body ?? {}, caller.userId, {
    changer: { role, caller },
  });
  const published = await EnvironmentRow.query(trx).findById(environment.id).throwIfNotFound();
  return toBundle(row, ownerOf(context, published));
};

export const previewBundle: Handler<'previewBundle'> = async (context, { environment, body, trx }) => {
  const { settings: patch = {}, ...options } = body ?? {};
  const settings = changeSettings(environment.settings, patch, environment.domains);
  const unsaved = { ...environment, settings };
  const made = await composeBundle(trx, bundleMakerOf(context), unsaved, options);
  const { script, bytes, gzipBytes: gzip_bytes, config, warnings, test } = made;
  const change = testChange(environment.banner_tests, test?.digest);
  const told = changeWarnings(change, settings.banner_test);
  return { script, bytes, gzip_bytes, config, warnings: [...warnings, ...told] };
};

export const listBundles: Handler<'listBundles'> = async (context, { environment, query }) =>
  readPage({
    query: BundleRow.query(context.db).where({ environment_id: environment.id }).modify('listed'),
    order: ['created_at', 'hash'],
    direction: 'desc',
    shapes: [SHAPE_TIME, SHAPE_HASH],
    limit: query.limit,
    cursor: query.cursor,
    toItem: (row) => toBundle(row, ownerOf(context, environment)),
  });

export const getBundleRecord: Handler<'getBundleRecord'> = async (context, { environment, params }) => {
  const row = await BundleRow.query(context.db).findById([environment.id, params.hash]);
  if (row === undefined) throw notFound('This bundle');
  return toRecord(row, ownerOf(context, environment));
};

export const getBundle: Handler<'getBundle'> = ({ files }, { site, params }) =>
  findFile(files, 'getBundle', site, params);
export const getBundleVersion: Handler<'getBundleVersion'> = ({ files }, { site, params }) =>
  findFile(files, 'getBundleVersion', site, params);
export const getBundleTexts: Handler<'getBundleTexts'> = ({ files }, { site, params }) =>
  findFile(files, 'getBundleTexts', site, params);
export const getBundleVendors: Handler<'getBundleVendors'> = ({ files }, { site, params }) =>
  findFile(files, 'getBundleVendors', site, params);

import { isDeepStrictEqual } from 'node:util';
import type { Knex } from 'knex';
import { type BundleMaker, bundleMakerOf, type Composed, composeBundle } from '../../bundles/compose';
import { publishBundle } from '../../bundles/publish';
import { seenChange } from '../../bundles/settings-change';
import type { Context } from '../../context';
import { BundleRow, EnvironmentRow, VendorListRow } from '../../db/models';
import { optionsOf } from '../../domain/banner/options';
import { isMadeBy } from '../../domain/banner/sources';
import { ValidationError } from '../../domain/errors';
import { logFailure } from '../../observability/failures';
import type { Logger } from '../../observability/logger';
import { auditCommand } from '../audit';

/**
 * Publishes the banners of sites whose visitors are shown something else by a new vendor list, and no others: a bundle
 * names the list that it was made with, and that list stays true while it says the same of the site's vendors. Answers
 * whether every site was looked through.
 */
export async function republishForList(
  db: Knex,
  log: Logger,
  maker: BundleMaker,
  signal: AbortSignal,
): Promise<boolean> {
  const sites = await EnvironmentRow.query(db)
    .whereRaw("jsonb_typeof(settings->'tcf') = 'object'")
    .whereNull('deleted_at')
    .where('status', 'active')
    .select('id');
  let published = 0;
  let isDone = true;
  for (const { id } of sites) {
    if (signal.aborted) return false;
    try {
      if (await db.transaction((trx) => republish(trx, maker, id))) published += 1;
    } catch (error) {
      // What is wrong with a site's settings stays wrong until its owner changes them.
      if (!(error instanceof ValidationError)) isDone = false;
      logFailure(
        log,
        'warn',
        { error, environment_id: id },
        'a banner could not be made with the new vendor list',
      );
    }
  }
  if (published > 0) log.info({ bundles: published }, 'banners were published with the new vendor list');
  return isDone;
}

/** The same with what a service has. */
export const republishWith = (
  { db, log, ...making }: Pick<Context, 'db' | 'log' | 'program' | 'publicUrl' | 'config'>,
  signal: AbortSignal,
): Promise<boolean> => republishForList(db, log, bundleMakerOf(making), signal);

/** Whether the site got another banner. What its owner has changed and not published is left to the owner. */
async function republish(trx: Knex.Transaction, maker: BundleMaker, id: string): Promise<boolean> {
  const site = await EnvironmentRow.query(trx).findById(id).forNoKeyUpdate();
  const present = site?.bundles[0];
  if (site === undefined || present?.tcf === undefined) return false;
  const list = await VendorListRow.query(trx).where({ environment_id: id }).max('version as version').first();
  const isOwners =
    !isMadeBy(maker.program, site.settings, present.program) ||
    present.vendors !== (list?.version ?? 0) ||
    (await seenChange(trx, id, present.version, site.settings_version)) !== undefined;
  if (isOwners) return false;
  const bundle = await BundleRow.query(trx).findById([id, present.hash]).throwIfNotFound();
  const options = optionsOf(bundle);
  // What newer scans would hold or let pass is for the owner to publish.
  const rules = bundle.config.auto_blocking;
  const holding =
    present.holds === undefined || rules === undefined ? undefined : { rules, digest: present.holds };
  const made = await composeBundle(trx, maker, site, options, holding);
  // A list whose number is higher than that of the present one was wrong, and an operator has taken it back.
  const isTrue = present.tcf.list <= (made.config.tcf?.vendor_list_version ?? 0);
  if (isTrue && showsTheSame(bundle, made)) return false;
  await publishBundle(trx, maker, id, options, null, { holding });
  await auditCommand(trx, 'vendor-list', {
    environmentId: id,
    about: { resource: 'site', resource_id: site.token },
  });
  return true;
}

function showsTheSame(bundle: BundleRow, made: Composed): boolean {
  const shown = ({ config, texts, vendors }: Pick<Composed, 'config' | 'texts' | 'vendors'>) => {
    const { vendor_list_version: _, ...tcf } = config.tcf ?? {};
    return JSON.parse(JSON.stringify({ tcf, texts, vendors }));
  };
  return isDeepStrictEqual(shown(bundle), shown(made));
}

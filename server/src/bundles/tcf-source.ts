import type { Knex } from 'knex';
import type { Config } from '../config';
import { findList } from '../db/global-vendor-list';
import { ValidationError } from '../domain/errors';
import { type Cmp, type TcfParts, type TcfSource, tcfParts } from '../domain/tcf/bundle';
import type { Settings } from '../domain/types';

/** The CMP that the operator has registered. */
export const cmpOf = ({
  tcfCmpId: id,
  tcfCmpVersion: version,
}: Pick<Config, 'tcfCmpId' | 'tcfCmpVersion'>): Cmp | undefined =>
  id === undefined ? undefined : { id, version };

/** What to say where there is no CMP. */
export const NO_CMP =
  'needs a CMP: the operator of this server must register it with IAB Europe, and set TCF_CMP_ID to the number that it gets';

/** What a bundle with the framework is made of; undefined for sites without it. Throws `ValidationError`. */
export async function tcfSource(
  db: Knex,
  cmp: Cmp | undefined,
  { tcf, categories }: Pick<Settings, 'tcf' | 'categories'>,
): Promise<(TcfSource & TcfParts) | undefined> {
  if (tcf == null) return undefined;
  if (cmp === undefined) throw ValidationError.of('body.settings.tcf', NO_CMP, 'cmp_id');
  const stored = await findList(db);
  if (stored === undefined) {
    const message =
      'needs the Global Vendor List, which this server does not have yet: wait until it has fetched it, or ask its operator to import it (npm run import-gvl -- FILE --tcf)';
    throw ValidationError.of('body.settings.tcf', message, 'no_vendor_list');
  }
  const source = { cmp, list: stored.list, translations: stored.translations };
  const parts = tcfParts(tcf, categories, source);
  if (parts.vendors.length === 0)
    throw ValidationError.of('body.settings.tcf.vendors', 'names no vendor of the list', 'no_vendors');
  return { ...source, ...parts };
}

import type { Knex } from 'knex';
import { raw } from 'objection';
import { BundleRow, type ConsentRow } from '../../db/models';
import { TcStringError } from '../../domain/tcf/bits';
import { type DecodedTcString, decodeTcString, rangesText } from '../../domain/tcf/decode';
import type { BundleTcf, TcfRecord } from '../../domain/types';

/** What a record's TC string says; nothing where it has none that can be read. */
export async function tcfOf(
  db: Knex,
  environmentId: string,
  { tc_string, bundle_hash }: Pick<ConsentRow, 'tc_string' | 'bundle_hash'>,
): Promise<{ tcf?: TcfRecord }> {
  const decoded = tc_string === null ? undefined : readable(tc_string);
  if (decoded === undefined) return {};
  const { vendors, legIntVendors, disclosed, restrictions: _, ...said } = decoded;
  return {
    tcf: {
      created: new Date(said.created).toISOString(),
      cmp_id: said.cmpId,
      cmp_version: said.cmpVersion,
      vendor_list_version: said.listVersion,
      policy_version: said.policyVersion,
      language: said.language,
      publisher_country: said.country,
      is_service_specific: said.isServiceSpecific,
      purposes: said.purposes,
      leg_int_purposes: said.legInt,
      special_features: said.specialFeatures,
      vendors: rangesText(vendors),
      leg_int_vendors: rangesText(legIntVendors),
      disclosed_vendors: disclosed === undefined ? null : rangesText(disclosed),
      matches_bundle: matches(decoded, await bundleTcf(db, environmentId, bundle_hash)),
    },
  };
}

/** Sites without the framework may have recorded anything that looks like a string. */
function readable(text: string): DecodedTcString | undefined {
  try {
    return decodeTcString(text);
  } catch (error) {
    if (error instanceof TcStringError) return undefined;
    throw error;
  }
}

async function bundleTcf(db: Knex, environmentId: string, hash: string | null): Promise<BundleTcf | null> {
  if (hash === null) return null;
  const found = await BundleRow.query(db)
    .findById([environmentId, hash])
    .select(raw("config->'tcf'").as('tcf'));
  return (found as unknown as { tcf: BundleTcf | null } | undefined)?.tcf ?? null;
}

const matches = (
  { cmpId, listVersion, policyVersion, country, disclosed }: DecodedTcString,
  tcf: BundleTcf | null,
): boolean | null =>
  tcf &&
  cmpId === tcf.cmp_id &&
  listVersion === tcf.vendor_list_version &&
  policyVersion === tcf.policy_version &&
  country === tcf.publisher_country &&
  disclosed !== undefined &&
  rangesText(disclosed) === tcf.vendors;

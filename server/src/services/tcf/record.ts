import type { Knex } from 'knex';
import { raw } from 'objection';
import { BundleRow, type ConsentRow } from '../../db/models';
import { canonicalJson } from '../../domain/banner/canonical';
import { type Ranges, TcStringError } from '../../domain/tcf/bits';
import { rangesIn } from '../../domain/tcf/bundle';
import { type DecodedTcString, decodeTcString, rangesText } from '../../domain/tcf/decode';
import type { BundleTcf, TcfRecord } from '../../domain/types';

/** What a record's TC string says; nothing where it has none that can be read. */
export async function tcfOf(
  db: Knex,
  environmentId: string,
  { tc_string, bundle_hash, decision }: Pick<ConsentRow, 'tc_string' | 'bundle_hash' | 'decision'>,
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
      matches_bundle: matches(decoded, await bundleTcf(db, environmentId, bundle_hash), decision),
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

/** Whether the banner of this bundle can have made the string for such a decision. */
function matches(made: DecodedTcString, tcf: BundleTcf | null, decision: string): boolean | null {
  if (tcf === null) return null;
  const { disclosed } = made;
  if (disclosed === undefined) return false;
  const isIts =
    made.cmpId === tcf.cmp_id &&
    made.cmpVersion === tcf.cmp_version &&
    made.listVersion === tcf.vendor_list_version &&
    made.policyVersion === tcf.policy_version &&
    made.country === tcf.publisher_country &&
    made.isServiceSpecific &&
    made.purposeOneTreatment === tcf.purpose_one_treatment;
  const restrictions = made.restrictions.map((one) => ({ ...one, vendors: rangesText(one.vendors) }));
  // Visitors are shown the vendors, or have been shown some of them by a banner before.
  const shown = idsOf(disclosed, idsIn(tcf.vendors));
  if (!isIts || shown === null || canonicalJson(restrictions) !== canonicalJson(tcf.restrictions))
    return false;
  const isRefused = decision === 'reject_all';
  const withinField = (ids: number[], asked: number[]): boolean =>
    decision === 'accept_all'
      ? ids.join() === asked.join()
      : ids.every((id) => !isRefused && asked.includes(id));
  const within = (vendors: Ranges, ...asked: string[]): boolean =>
    idsOf(vendors, new Set(asked.flatMap((text) => [...idsIn(text)]).filter((id) => shown.has(id)))) !== null;
  return (
    withinField(made.purposes, tcf.purposes) &&
    withinField(made.legInt, tcf.leg_int_purposes) &&
    withinField(made.specialFeatures, tcf.special_features) &&
    within(made.vendors, isRefused ? '' : tcf.consent_vendors) &&
    within(made.legIntVendors, isRefused ? '' : tcf.leg_int_vendors, tcf.special_vendors)
  );
}

const idsIn = (text: string): Set<number> =>
  new Set(
    rangesIn(text).flatMap(([from, to]) => Array.from({ length: to - from + 1 }, (_, index) => from + index)),
  );

/** The ids of a stranger's ranges if all of them are among these; it stops at the first that is not. */
function idsOf(ranges: Ranges, among: ReadonlySet<number>): Set<number> | null {
  const ids = new Set<number>();
  for (const [from, to] of ranges)
    for (let id = from; id <= to; id += 1) {
      if (!among.has(id)) return null;
      ids.add(id);
    }
  return ids;
}

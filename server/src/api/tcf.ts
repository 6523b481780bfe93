import { cmpOf } from '../bundles/tcf-source';
import { findList, listLanguages, listState } from '../db/global-vendor-list';
import type { Handler } from './handler';

export const getTcf: Handler<'getTcf'> = async ({ config, db }) => {
  const { checked_at, problem } = await listState(db);
  const stored = await findList(db);
  const { list, stored_at } = stored ?? {};
  return {
    cmp: cmpOf(config) ?? null,
    list:
      list === undefined || stored_at === undefined
        ? null
        : {
            vendor_list_version: list.version,
            policy_version: list.policy_version,
            updated_at: list.updated_at,
            stored_at: stored_at.toISOString(),
            languages: await listLanguages(db),
          },
    checked_at: checked_at?.toISOString() ?? null,
    problem,
    vendors: (list?.vendors ?? []).map(({ id, name, purposes, leg_int_purposes }) => ({
      id,
      name,
      purposes,
      leg_int_purposes,
    })),
  };
};

import { clock } from '../../domain/clock';
import { daysKept } from '../../domain/retention';
import { DAY_MS, MINUTE_MS } from '../../domain/time';
import type { Settings } from '../../domain/types';
import type { Audited } from './audited-site';
import { factsOf } from './facts-of';
import { readKept } from './judge-fact';

/** What was sealed of an erasure whose row retention has deleted. */
export interface OutlivedErasure {
  whole: boolean;
  /** The digest of the commitments that it took. */
  leaves: string;
}

/** A run of retention that began under one version of the settings may end under the next. */
const OVERLAP = 10 * MINUTE_MS;

/**
 * Of erasures without a row, those that retention could delete: by when they began, as it was sealed, and by the
 * settings that were in force, which are sealed too.
 */
export async function outlivedErasures(
  about: Audited,
  ids: readonly string[],
): Promise<Map<string, OutlivedErasure>> {
  if (ids.length === 0) return new Map();
  const facts = await factsOf(about.trx, about.site.id, 'erasure', ids);
  about.outlived ??= await outlivedOf(about);
  const before = about.outlived;
  return new Map(
    [...facts].flatMap(([id, some]): [string, OutlivedErasure][] => {
      const { begun_at, whole, leaves } = readKept(some.at(-1)?.statement ?? null)?.record ?? {};
      const isOver = Date.parse(String(begun_at)) < before;
      return isOver ? [[id, { whole: whole === true, leaves: String(leaves) }]] : [];
    }),
  );
}

/** Until a version of the settings was followed by another, retention deleted by what it says. */
async function outlivedOf({ trx, site }: Audited): Promise<number> {
  const versions: { created_at: Date; settings: Pick<Settings, 'retention_days'> }[] = await trx(
    'settings_versions',
  )
    .where({ environment_id: site.id })
    .orderBy('version')
    .select(
      'created_at',
      trx.raw("jsonb_build_object('retention_days', settings->'retention_days') AS settings"),
    );
  return versions.reduce((latest, { settings }, n) => {
    const end = versions[n + 1]?.created_at.getTime() ?? clock.now();
    return Math.max(latest, end + OVERLAP - daysKept(settings, 'erasures') * DAY_MS);
  }, Number.NEGATIVE_INFINITY);
}

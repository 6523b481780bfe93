import { sealedOf } from '../../db/ledger/kept';
import { clock } from '../../domain/clock';
import { impossibleAmong, type SealedErasure } from '../../domain/ledger/erasure-rules';
import { daysKept } from '../../domain/retention';
import { DAY_MS } from '../../domain/time';
import type { Audited } from './audited-site';
import { OVERLAP, versionsOf } from './versions';

/**
 * Of erasures without a row, those that retention could delete: by when they began, as it was sealed, and by the
 * settings that were in force, which are sealed too. What was sealed of them, the oldest first; without those of which it
 * contradicts itself, since one of its times may be false.
 */
export async function outlivedErasures(
  about: Audited,
  ids: readonly string[],
): Promise<Map<string, SealedErasure[]>> {
  if (ids.length === 0) return new Map();
  const sealed = await sealedOf(about.trx, about.site.id, 'erasure', ids);
  about.outlived ??= await outlivedOf(about);
  const before = about.outlived;
  return new Map(
    [...sealed].filter(
      ([, some]) => Date.parse(String(some.at(-1)?.begun_at)) < before && impossibleAmong(some).length === 0,
    ),
  );
}

/** Until a version of the settings was followed by another, retention deleted by what it says. */
async function outlivedOf(about: Audited): Promise<number> {
  const versions = await versionsOf(about);
  return versions.reduce((latest, { settings }, n) => {
    const end = versions[n + 1]?.created_at.getTime() ?? clock.now();
    return Math.max(latest, end + OVERLAP - daysKept(settings, 'erasures') * DAY_MS);
  }, Number.NEGATIVE_INFINITY);
}

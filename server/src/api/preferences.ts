import { clock } from '../domain/clock';
import { reconsentReason } from '../domain/consent';
import { toEntry, toRecord } from '../ingest/decision';
import { refuseLaxerRule } from '../ingest/lax-rule';
import { askedBy } from '../ingest/shown';
import type { Handler } from './handler';

export const getPreferences: Handler<'getPreferences'> = async ({ ingest }, { site, query }) => {
  const session_id = query.session_id.toLowerCase();
  const { categories } = site;
  const { policy_version, languages } = site.settings;
  const choice = await ingest.choice(site, session_id);
  const reason = reconsentReason(choice, { categories, policy_version }, clock.date());
  return {
    session_id,
    decision: choice?.decision ?? null,
    categories: choice?.categories ?? {},
    ...(choice?.vendors == null ? {} : { vendors: choice.vendors }),
    policy_version: choice?.policy_version ?? null,
    region: choice?.region ?? null,
    rule: choice?.rule ?? null,
    recorded_at: choice?.recorded_at.toISOString() ?? null,
    expires_at: choice?.expires_at.toISOString() ?? null,
    reconsent_required: reason !== 'none',
    reason,
    environment: { categories, policy_version, languages },
  };
};

export const savePreferences: Handler<'savePreferences'> = async (
  { ingest, sites },
  { site, client, body, idempotency },
) => {
  const stated = { ...body, decision: 'save_preferences' as const };
  const asked = await askedBy(sites.versions, site, stated);
  refuseLaxerRule(site, stated, asked);
  const entry = toEntry(site, client, stated, asked, idempotency);
  const { decision } = await ingest.record(entry);
  return toRecord(decision ?? entry.decision);
};

import type { Knex } from 'knex';
import { databaseTime } from '../db/clock';
import type { EnvironmentRow } from '../db/models';
import { planRetention } from '../db/plan-retention';
import { allow, findHold, isAllowed } from '../db/retention-holds';
import { changesOf } from '../domain/audit';
import { isOverBound, MAX_COUNTED, recordsOf } from '../domain/retention';
import { DAY_MS } from '../domain/time';
import type { Handler } from './handler';

/** How long an owner's permission is valid, in milliseconds: a day, which includes at least one run. */
const GOOD_FOR = DAY_MS;
/** More than is ever counted. */
const ANY_NUMBER = Number.MAX_SAFE_INTEGER;

async function view(db: Knex, environment: EnvironmentRow, now: Date) {
  const plan = await planRetention(db, environment, now);
  const hold = await findHold(db, environment.id);
  const { allowed_records, allowed_until } = hold ?? {};
  const isGood = allowed_records != null && allowed_until != null && allowed_until > now;
  const records = recordsOf(plan);
  return {
    as_of: now.toISOString(),
    records,
    held: plan.some(isOverBound) && !isAllowed(hold, records, now),
    held_since: hold?.held_since?.toISOString() ?? null,
    allowed: isGood
      ? { records: Math.min(allowed_records, MAX_COUNTED), until: allowed_until.toISOString() }
      : null,
    deletions: plan.map((planned) => ({
      kind: planned.kind,
      before: planned.before.toISOString(),
      records: planned.deleted,
      over_bound: isOverBound(planned),
    })),
  };
}

export const getRetentionPlan: Handler<'getRetentionPlan'> = async ({ db }, { environment }) =>
  view(db, environment, await databaseTime(db));

export const allowRetention: Handler<'allowRetention'> = async (
  { log },
  { environment, body, caller, trx, afterCommit, audit },
) => {
  const now = await databaseTime(trx);
  await allow(trx, environment.id, {
    allowed_records: body.records >= MAX_COUNTED ? ANY_NUMBER : body.records,
    allowed_until: new Date(now.getTime() + GOOD_FOR),
    allowed_by: caller.userId,
  });
  audit.note({ changes: changesOf({}, { records: body.records }) });
  const { id: environment_id } = environment;
  const about = { environment_id, user: caller.userId, records: body.records };
  afterCommit(() => log.info(about, 'an owner allowed retention'));
  return view(trx, environment, now);
};

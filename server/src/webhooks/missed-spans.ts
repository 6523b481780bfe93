import type { Knex } from 'knex';
import { raw } from 'objection';
import { databaseTime } from '../db/clock';
import { EnvironmentRow, MissedSpanRow, type WebhookKey, type WebhookRow } from '../db/models';

/** Spans of one webhook that its owner can make: each is read by itself when it is counted. */
export const MAX_SPANS = 50;

type Missing = Pick<WebhookRow, 'environment_id' | 'webhook_id' | 'events'>;

const openSpan = (trx: Knex, { environment_id, webhook_id }: WebhookKey) =>
  MissedSpanRow.query(trx).findOne({ environment_id, webhook_id, to_version: null });

/** Counts a change of who misses events of a site. Changes of one site wait for each other here. */
async function nextVersion(trx: Knex, environment_id: string): Promise<string> {
  const { rows } = await trx.raw<{ rows: [{ version: string }] }>(
    `INSERT INTO subscription_versions AS v (environment_id, version) VALUES (?, 1)
     ON CONFLICT (environment_id) DO UPDATE SET version = v.version + 1 RETURNING version::text AS version`,
    [environment_id],
  );
  return rows[0].version;
}

/** Every process reads the webhooks of the site again; its owners see no change of the site. */
async function announce(trx: Knex, environment_id: string): Promise<void> {
  await EnvironmentRow.query(trx)
    .findById(environment_id)
    .patch({ updated_at: raw('updated_at') });
}

/**
 * From the commit on events create no delivery for the webhook, which must be locked: what it misses is found by the
 * versions that the events carry.
 */
export async function missEvents(
  trx: Knex,
  { environment_id, webhook_id, events }: Missing,
  version?: string,
): Promise<void> {
  if ((await openSpan(trx, { environment_id, webhook_id })) !== undefined) return;
  const from_version = version ?? (await nextVersion(trx, environment_id));
  const now = await databaseTime(trx);
  await MissedSpanRow.query(trx).insert({
    ...{ environment_id, webhook_id, events, from_version },
    ...{ started_at: now, advanced_at: now },
  });
  await announce(trx, environment_id);
}

/** Ends it: from the commit on events create deliveries again. What was missed becomes deliveries later (`catchUp`). */
export async function missNoMore(trx: Knex, key: WebhookKey): Promise<void> {
  const open = await openSpan(trx, key);
  if (open === undefined) return;
  await close(trx, open, await nextVersion(trx, key.environment_id));
  await announce(trx, key.environment_id);
}

const close = (trx: Knex, { environment_id, webhook_id, from_version }: MissedSpanRow, to_version: string) =>
  MissedSpanRow.query(trx).findById([environment_id, webhook_id, from_version]).patch({ to_version });

/** What occurred until now keeps the old subscription; what occurs from now on has the new one. */
export async function missOtherEvents(trx: Knex, row: WebhookKey, events: string[]): Promise<void> {
  const open = await openSpan(trx, row);
  if (open === undefined || areSame(open.events, events)) return;
  const version = await nextVersion(trx, row.environment_id);
  await close(trx, open, version);
  await missEvents(trx, { ...row, events }, version);
}

const areSame = (some: readonly string[], others: readonly string[]): boolean =>
  some.length === others.length && some.every((event, index) => event === others[index]);

export const countSpans = (db: Knex, { environment_id, webhook_id }: WebhookKey): Promise<number> =>
  MissedSpanRow.query(db).where({ environment_id, webhook_id }).resultSize();

/** What is to become deliveries next; undefined when the webhook has missed nothing. */
export const firstSpan = (db: Knex, { environment_id, webhook_id }: WebhookKey) =>
  MissedSpanRow.query(db).where({ environment_id, webhook_id }).orderBy('from_version').first();

/** Until when a webhook has all of its deliveries: later ones wait, so that the order is kept. */
export const completeUntil = ({ started_at, read_at }: MissedSpanRow): Date =>
  read_at !== null && read_at > started_at ? read_at : started_at;

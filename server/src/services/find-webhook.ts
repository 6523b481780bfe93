import type { Knex } from 'knex';
import { type EnvironmentRow, WebhookRow } from '../db/models';
import { notFound } from '../domain/errors';

const ofSite = (db: Knex, environment: EnvironmentRow, webhook_id: string) =>
  WebhookRow.query(db).findOne({ environment_id: environment.id, webhook_id: webhook_id.toLowerCase() });

/** A webhook of the site. Throws 404. */
export async function findWebhook(
  db: Knex,
  environment: EnvironmentRow,
  webhook_id: string,
): Promise<WebhookRow> {
  const row = await ofSite(db, environment, webhook_id);
  if (row === undefined) throw notFound('This webhook');
  return row;
}

/** The same under a lock. */
export async function lockWebhook(
  trx: Knex.Transaction,
  environment: EnvironmentRow,
  webhook_id: string,
): Promise<WebhookRow> {
  const row = await ofSite(trx, environment, webhook_id).forNoKeyUpdate();
  if (row === undefined) throw notFound('This webhook');
  return row;
}

import type { Knex } from 'knex';
import type { operations } from '../../../spec/generated/api';
import { BreachRow, DsarRow, WebhookRow } from '../db/models';
import { BREACH_NOTICE, DSAR_NOTICE } from '../domain/deadlines';
import type { Warning } from '../domain/types';
import { breachWarning, dsarWarning, scanWarnings, webhookWarning } from '../domain/warnings';
import type { Handler } from './handler';
import { newestScan } from './scans';

/** The contract's bound of the list. */
const MOST = 100;
const RANK = { critical: 0, warning: 1, info: 2 };

/** What needs the owner's attention now, the most severe first; computed from the records, never stored. */
export async function warningsOf(db: Knex, environment_id: string, now = new Date()): Promise<Warning[]> {
  const webhooks = await WebhookRow.query(db)
    .where({ environment_id })
    .whereIn('status', ['disabled', 'failing'])
    // The worst first: one failure is no warning yet, and must not take the place of one.
    .orderBy(['status', { column: 'consecutive_failures', order: 'desc' }])
    .limit(MOST);
  const requests = await DsarRow.query(db)
    .where({ environment_id })
    .whereIn('status', ['created', 'in_progress'])
    .whereRaw('coalesce(extended_until, due_at) < ?', [new Date(now.getTime() + DSAR_NOTICE)])
    .orderByRaw('coalesce(extended_until, due_at)')
    .limit(MOST);
  const breaches = await BreachRow.query(db)
    .where({ environment_id, status: 'created' })
    .where('notify_by', '<', new Date(now.getTime() + BREACH_NOTICE))
    .orderBy('notify_by')
    .limit(MOST);
  const scan = await newestScan(db, environment_id);
  const warnings = [
    ...breaches.map((breach) => breachWarning(breach, now)),
    ...webhooks.map((webhook) => webhookWarning(webhook, now)),
    ...requests.map((request) =>
      dsarWarning({ ...request, deadline: request.extended_until ?? request.due_at }, now),
    ),
    ...(scan?.result == null
      ? []
      : scanWarnings({ scan_id: scan.scan_id, findings: scan.result.findings, at: scan.finished_at ?? now })),
  ].filter((warning) => warning !== undefined);
  return warnings.sort((a, b) => RANK[a.severity] - RANK[b.severity]).slice(0, MOST);
}

export const listWarnings: Handler<operations['listWarnings']> = async ({ db }, { environment }) => ({
  items: await warningsOf(db, environment.id),
});

import type { Knex } from 'knex';
import { raw } from 'objection';
import type { operations } from '../../../spec/generated/api';
import { seenChange } from '../bundle/settings-change';
import type { Context } from '../context';
import { BreachRow, BundleRow, DsarRow, type EnvironmentRow, VendorListRow, WebhookRow } from '../db/models';
import { BREACH_NOTICE, DSAR_NOTICE } from '../domain/deadlines';
import type { Warning } from '../domain/types';
import { breachWarning, bundleWarning, dsarWarning, scanWarnings, webhookWarnings } from '../domain/warnings';
import type { Handler } from './handler';
import { newestScan } from './scans';

/** The contract's bound of the list. */
const MOST = 100;
/** What is looked at of a webhook. */
const WARNED = [
  ...['webhook_id', 'url', 'description', 'status'],
  ...['consecutive_failures', 'disabled_at', 'disabled_reason', 'last_counted_at'],
];
const RANK = { critical: 0, warning: 1, info: 2 };

/** What needs the owner's attention now, the most severe first; computed from the records, never stored. */
export async function warningsOf(
  { program, publicUrl }: Pick<Context, 'program' | 'publicUrl'>,
  db: Knex,
  environment: EnvironmentRow,
  now = new Date(),
): Promise<Warning[]> {
  const environment_id = environment.id;
  // All of them, because the healthy ones have names too; there are a hundred at the most.
  const webhooks = await WebhookRow.query(db)
    .where({ environment_id })
    // The worst first: they must not be left out.
    .orderBy('consecutive_failures', 'desc')
    .select(WARNED);
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
    await outdated(db, environment, { digest: program.digest, server: publicUrl() }),
    ...breaches.map((breach) => breachWarning(breach, now)),
    ...webhookWarnings(webhooks, now),
    ...requests.map((request) =>
      dsarWarning({ ...request, deadline: request.extended_until ?? request.due_at }, now),
    ),
    ...(scan?.result == null
      ? []
      : scanWarnings({ scan_id: scan.scan_id, findings: scan.result.findings, at: scan.finished_at ?? now })),
  ].filter((warning) => warning !== undefined);
  return warnings.sort((a, b) => RANK[a.severity] - RANK[b.severity]).slice(0, MOST);
}

/** Whether visitors get an older banner than would be generated now: told by versions, because making one for each look would be dear. */
async function outdated(
  db: Knex,
  { id: environment_id, bundles: [present], settings_version }: EnvironmentRow,
  here: { digest: string; server: string },
): Promise<Warning | undefined> {
  if (present === undefined) return undefined;
  const bundle = await BundleRow.query(db)
    .findById([environment_id, present.hash])
    .select('published_at', raw("config->>'server'").as('server'))
    .throwIfNotFound();
  const { server, published_at } = bundle as BundleRow & { server: string };
  const list = await VendorListRow.query(db)
    .where({ environment_id })
    .orderBy('version', 'desc')
    .select('version', 'created_at')
    .first();
  return bundleWarning({
    published_at,
    settingsChangedAt: await seenChange(db, environment_id, present.version, settings_version),
    vendors: { made: present.vendors, now: list?.version ?? 0, changed_at: list?.created_at ?? published_at },
    sameProgram: present.program === here.digest,
    sameServer: server === here.server,
  });
}

export const listWarnings: Handler<operations['listWarnings']> = async (context, { environment }) => ({
  items: await warningsOf(context, context.db, environment),
});

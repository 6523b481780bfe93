import type { Knex } from 'knex';
import { raw } from 'objection';
import { heldPlaces } from '../bundles/held-places';
import { seenChange } from '../bundles/settings-change';
import { voucherIds } from '../config/vouchers';
import type { Context } from '../context';
import { findAsked } from '../db/asked-vendors';
import { proofsOf } from '../db/domain-proofs';
import { gatherVolume } from '../db/gather-evidence';
import { listState } from '../db/global-vendor-list';
import { auditStateOf } from '../db/ledger/audits';
import { failingVouchers } from '../db/ledger/vouchers';
import { BreachRow, BundleRow, DsarRow, type EnvironmentRow, VendorListRow, WebhookRow } from '../db/models';
import { RUNNING } from '../db/models/breach-row';
import { findHold, isAllowed } from '../db/retention-holds';
import { heldChanges } from '../domain/auto-blocking/changes';
import { isMadeBy } from '../domain/banner/sources';
import { addDays, dayOf, startOfDay } from '../domain/calendar';
import { clock } from '../domain/clock';
import { BREACH_NOTICE, DSAR_NOTICE } from '../domain/deadlines';
import { damageWarning } from '../domain/ledger/damage-warning';
import { vouchingWarnings } from '../domain/ledger/vouching-warnings';
import { mailWarnings } from '../domain/mail/warnings';
import { tcfWarning } from '../domain/tcf/warnings';
import type { BundleAutoBlocking, Warning } from '../domain/types';
import { USUAL_DAYS, volumeWarning } from '../domain/volume-warning';
import {
  askAgainWarning,
  breachWarning,
  bundleWarning,
  domainWarning,
  dsarWarning,
  RANK,
  retentionWarning,
  scanWarnings,
} from '../domain/warnings';
import { ownerlessWarning, webhookWarnings } from '../domain/webhook-warnings';
import { scannedPages } from './evidence';
import { mailTrouble } from './mail/trouble';
import { ableOwnerIds } from './owners';
import { scheduleWarnings } from './scan-schedules';

/** The contract's limit for the list. */
const MAX_WARNINGS = 100;
/** The columns of a webhook that are read. */
const WARNED = [
  ...['webhook_id', 'url', 'description', 'status'],
  ...['consecutive_failures', 'disabled_at', 'disabled_reason', 'last_counted_at', 'paused_at'],
  ...['unsendable_since', 'created_by', 'changed_by', 'updated_at'],
];

/** What needs the owner's attention now, most severe first; computed from the records, never stored. */
export async function warningsOf(
  { program, publicUrl, config }: Pick<Context, 'program' | 'publicUrl' | 'config'>,
  db: Knex,
  environment: EnvironmentRow,
  now = clock.date(),
): Promise<Warning[]> {
  const environment_id = environment.id;
  // All of them, because names must also differ from those of healthy ones; there are at most a hundred.
  const webhooks = await WebhookRow.query(db)
    .where({ environment_id })
    // The most severe first, so that a limit never drops them.
    .orderBy([{ column: 'consecutive_failures', order: 'desc' }, 'webhook_id'])
    .select(WARNED);
  const requests = await DsarRow.query(db)
    .where({ environment_id })
    .whereIn('status', ['created', 'in_progress'])
    .whereRaw('coalesce(extended_until, due_at) < ?', [new Date(now.getTime() + DSAR_NOTICE)])
    .orderByRaw('coalesce(extended_until, due_at), request_id')
    .limit(MAX_WARNINGS)
    // Not whole ones: their histories may be long.
    .select('request_id', 'request_type', 'extended_until', 'due_at');
  const breaches = await BreachRow.query(db)
    .where({ environment_id })
    .whereRaw(RUNNING)
    .where('notify_by', '<', new Date(now.getTime() + BREACH_NOTICE))
    .orderBy(['notify_by', 'breach_id'])
    .limit(MAX_WARNINGS)
    .select('breach_id', 'notify_by');
  const { pages } = await scannedPages(db, environment);
  const hold = await findHold(db, environment_id);
  const proofs = new Map((await proofsOf(db, environment)).map((proof) => [proof.domain, proof]));
  const domains = environment.domains.map(
    (domain) => proofs.get(domain) ?? { domain, method: null, proven_until: null },
  );
  const warnings = [
    domainWarning(domains, environment, now),
    // Not once an owner has allowed it, because then the next run proceeds.
    isAllowed(hold, hold?.records ?? 0, now) ? undefined : retentionWarning(hold),
    ...vouchingWarnings(await failingVouchers(db, environment_id, voucherIds(config)), now),
    damageWarning(await auditStateOf(db, environment_id)),
    ...mailWarnings(await mailTrouble(db, environment, now)),
    ...(await scheduleWarnings({ config }, db, environment)),
    await volume(db, environment, now),
    await unasked(db, environment),
    await tcfTrouble(db, config, environment, now),
    await outdated(db, environment, {
      isSame: (digest) => isMadeBy(program, environment.settings, digest),
      server: publicUrl(),
    }),
    ...breaches.map((breach) => breachWarning(breach, now)),
    ...webhookWarnings(webhooks, now),
    ownerlessWarning(webhooks, await ableOwnerIds(db, environment_id)),
    ...requests.map((request) =>
      dsarWarning({ ...request, deadline: request.extended_until ?? request.due_at }, now),
    ),
    ...scanWarnings(
      pages.map(({ summary, finished_at: at, ...page }) => ({ ...page, at, findings: summary.findings })),
    ),
  ].filter((warning) => warning !== undefined);
  return warnings.sort((a, b) => RANK[a.severity] - RANK[b.severity]).slice(0, MAX_WARNINGS);
}

/** Whether the site gets far more decisions than usual; from the counts. */
async function volume(db: Knex, { id, settings }: EnvironmentRow, now: Date): Promise<Warning | undefined> {
  const today = dayOf(settings.time_zone, now.getTime());
  const counted = await gatherVolume(db, id, addDays(today, -USUAL_DAYS), today);
  return volumeWarning(counted, new Date(startOfDay(settings.time_zone, today)));
}

/** Whether the present banner names vendors that earlier visitors were not asked about; a new policy asks them. */
async function unasked(db: Knex, { id, settings }: EnvironmentRow): Promise<Warning | undefined> {
  const row = await findAsked(db, id, settings.policy_version);
  return row?.added_since ? askAgainWarning(row.added, row.added_since) : undefined;
}

/** Whether a site with IAB Europe's framework lacks the operator's part of it. */
async function tcfTrouble(
  db: Knex,
  config: Context['config'],
  { settings }: EnvironmentRow,
  now: Date,
): Promise<Warning | undefined> {
  if (settings.tcf == null) return undefined;
  return tcfWarning({ hasCmp: config.tcfCmpId !== undefined, ...(await listState(db)) }, now);
}

/**
 * Whether visitors get an older banner than would be generated now: compared by versions, because generating
 * a bundle for each call would be expensive.
 */
async function outdated(
  db: Knex,
  environment: EnvironmentRow,
  here: { isSame(digest: string): boolean; server: string },
): Promise<Warning | undefined> {
  const { id: environment_id, settings_version, settings, bundles } = environment;
  const [present] = bundles;
  if (present === undefined) return undefined;
  const bundle = await BundleRow.query(db)
    .findById([environment_id, present.hash])
    .select(
      'published_at',
      raw("config->>'server'").as('server'),
      raw("config->'auto_blocking'").as('auto_blocking'),
    )
    .throwIfNotFound();
  const { server, published_at, auto_blocking } = bundle as BundleRow & {
    server: string;
    auto_blocking: BundleAutoBlocking | null;
  };
  const list = await VendorListRow.query(db)
    .where({ environment_id })
    .orderBy('version', 'desc')
    // It may weigh a mebibyte, and is read only where it says what is held.
    .select('version', 'created_at', ...(settings.auto_blocking?.enabled ? ['vendors'] : []))
    .first();
  const held = settings.auto_blocking?.enabled
    ? await heldPlaces(db, environment, list?.vendors ?? [], here.server)
    : undefined;
  return bundleWarning({
    published_at,
    settingsChangedAt: await seenChange(db, environment_id, present.version, settings_version),
    vendors: { made: present.vendors, now: list?.version ?? 0, changed_at: list?.created_at ?? published_at },
    sameProgram: here.isSame(present.program),
    sameServer: server === here.server,
    scan:
      held?.scannedAt === undefined || auto_blocking === null || present.holds === held.digest
        ? undefined
        : { at: held.scannedAt, ...heldChanges(auto_blocking, held.rules) },
  });
}

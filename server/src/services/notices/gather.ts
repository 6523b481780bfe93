import type { Knex } from 'knex';
import { NO_SITE } from '../../db/audit-events';
import { RUNNING } from '../../db/models/breach-row';
import { pagesOf } from '../../db/pages-of';
import { breachStage } from '../../domain/notices';
import { DAY_MS, HOUR_MS } from '../../domain/time';
import { requests } from './requests';
import type { Look, SiteNotice } from './told';

/** Rows that are read at once, of all sites. */
const ROWS = 2_000;

const KINDS = [requests, breaches, webhooks, scripts, damagedLogs, unvouchedLogs, changes, seenChanges];

/**
 * What there is to tell of all sites now, by one statement for each kind and page: most of it was told before. It comes
 * at once as far as that is not much, so that a member gets one mail.
 */
export async function* gatherNotices(db: Knex, now: Date, rows = ROWS): AsyncGenerator<SiteNotice[]> {
  let gathered: SiteNotice[] = [];
  for (const kind of KINDS)
    for await (const notices of kind({ db, now, rows })) {
      gathered.push(...notices);
      if (gathered.length < rows) continue;
      yield gathered;
      gathered = [];
    }
  yield gathered;
}

interface RunningBreach {
  environment_id: string;
  breach_id: string;
  aware_at: Date;
}

async function* breaches({ db, now, rows }: Look): AsyncGenerator<SiteNotice[]> {
  const running = () =>
    db('breaches')
      .whereRaw(RUNNING)
      .where('aware_at', '<', new Date(now.getTime() - DAY_MS))
      .select('environment_id', 'breach_id', 'aware_at');
  for await (const page of pagesOf<RunningBreach>(rows, ['environment_id', 'breach_id'], running))
    yield page.flatMap((row) => breachNotice(row, now));
}

function breachNotice({ environment_id, breach_id, aware_at }: RunningBreach, now: Date): SiteNotice[] {
  const hours = breachStage(aware_at, now);
  if (hours === undefined) return [];
  const message =
    hours === 72
      ? 'The 72 hours to report a breach to the authority have ended: report it now, with the reason for the delay.'
      : `${hours} of the 72 hours to report a breach to the authority have passed.`;
  const key = `breach ${hours} ${breach_id} ${aware_at.toISOString()}`;
  return [{ environment_id, topic: 'breach_clock', key, message, path: `/breaches/${breach_id}` }];
}

interface TroubledWebhook {
  environment_id: string;
  webhook_id: string;
  url: string;
  status: 'failing' | 'disabled';
  disabled_at: Date | null;
  last_success_at: Date | null;
}

async function* webhooks({ db, rows }: Look): AsyncGenerator<SiteNotice[]> {
  const troubled = () =>
    db('webhooks')
      .where((either) =>
        either
          .where({ status: 'disabled' })
          .orWhere((failing) => failing.where({ status: 'failing' }).where('consecutive_failures', '>=', 2)),
      )
      .select('environment_id', 'webhook_id', 'url', 'status', 'disabled_at', 'last_success_at');
  for await (const page of pagesOf<TroubledWebhook>(rows, ['environment_id', 'webhook_id'], troubled))
    yield page.map(webhookNotice);
}

function webhookNotice(row: TroubledWebhook): SiteNotice {
  const { environment_id, webhook_id, url, status, disabled_at, last_success_at } = row;
  const since = (status === 'disabled' ? disabled_at : last_success_at)?.toISOString() ?? 'never';
  const { host } = new URL(url);
  return {
    environment_id,
    topic: status === 'disabled' ? 'webhook_disabled' : 'webhook_failing',
    key: `webhook ${status} ${webhook_id} ${since}`,
    message:
      status === 'disabled'
        ? `The webhook to ${host} was disabled: fix the receiver, then reactivate it.`
        : `The webhook to ${host} fails: check its receiver; after 5 failures it is disabled.`,
    path: `/webhooks/${webhook_id}`,
  };
}

interface UnseenScript {
  environment_id: string;
  domain: string;
  proven_until: Date;
}

/** A script is missed when two daily checks in a row have not found it: `proven_until` is 30 days after it was seen. */
async function* scripts({ db, rows }: Look): AsyncGenerator<SiteNotice[]> {
  const unseen = () =>
    db('domain_proofs AS p')
      .join('environments AS e', 'e.id', 'p.environment_id')
      .where({ 'p.method': 'script', 'e.status': 'active', 'e.archived_at': null, 'e.deleted_at': null })
      .whereRaw('p.domain = ANY (e.domains)')
      .whereRaw("p.checked_at > p.proven_until - interval '30 days' + interval '36 hours'")
      .select('p.environment_id', 'p.domain', 'p.proven_until');
  for await (const page of pagesOf<UnseenScript>(rows, ['p.environment_id', 'p.domain'], unseen))
    yield page.map(({ environment_id, domain, proven_until }) => ({
      ...{ environment_id, topic: 'script_missing', key: `script ${domain} ${proven_until.toISOString()}` },
      message: `The script of the site is no longer seen on ${domain.slice(0, 100)}: visitors there get no banner.`,
      path: '/settings',
    }));
}

/** Longer than a passing failure of a witness or an authority, as the warnings have it. */
const LASTING = DAY_MS;

interface TroubledLog {
  environment_id: string;
  since: Date;
}

async function* damagedLogs({ db, rows }: Look): AsyncGenerator<SiteNotice[]> {
  const damaged = () =>
    db('ledger_audits')
      .whereNotNull('damaged_since')
      .select('environment_id', db.ref('damaged_since').as('since'));
  for await (const page of pagesOf<TroubledLog>(rows, ['environment_id'], damaged))
    yield page.map(({ environment_id, since }) => ({
      ...{ environment_id, topic: 'evidence_failing', path: '/evidence' },
      key: `damaged ${since.toISOString()}`,
      message:
        'Records and the evidence log do not fit: ask whoever runs the server before anything is changed.',
    }));
}

async function* unvouchedLogs({ db, now, rows }: Look): AsyncGenerator<SiteNotice[]> {
  const failing = () =>
    db('ledger_vouchers')
      .where('failing_since', '<', new Date(now.getTime() - LASTING))
      .groupBy('environment_id')
      .select('environment_id', db.raw('min(failing_since) AS since'));
  for await (const page of pagesOf<TroubledLog>(rows, ['environment_id'], failing))
    yield page.map(({ environment_id, since }) => ({
      ...{ environment_id, topic: 'evidence_failing', path: '/evidence' },
      key: `unvouched ${since.toISOString()}`,
      message:
        'For more than a day a witness or time-stamping authority has not vouched for the evidence log.',
    }));
}

/** What owners and keys do to members and keys, in words. */
const CHANGES: Readonly<Record<string, string>> = {
  addMember: 'A member was invited or added',
  updateMember: 'The role of a member was changed',
  removeMember: 'A member was removed',
  renewInvitation: 'An invitation was renewed',
  joinEnvironment: 'Somebody accepted an invitation',
  acceptInvitation: 'Somebody accepted an invitation',
  createKey: 'An API key was made',
  rotateKey: 'An API key was replaced',
  revokeKey: 'An API key was revoked',
  revokeSiteKey: 'An API key was revoked',
};

interface ChangeRow {
  environment_id: string;
  account_id: number;
  audit_id: string;
  operation: string;
  resource: string | null;
}

function pathOf(environment_id: string, resource: string | null): string {
  if (environment_id === NO_SITE) return '/account';
  return resource === 'key' ? '/keys' : '/members';
}

/** Events of the trail are committed with their change; a look reads the last hours again, and tells each once. */
async function* changes({ db, now, rows }: Look): AsyncGenerator<SiteNotice[]> {
  const recent = () =>
    db('audit_events')
      .where('occurred_at', '>', new Date(now.getTime() - 2 * HOUR_MS))
      .whereIn('operation', Object.keys(CHANGES))
      .where({ kind: 'change' })
      .select('environment_id', 'account_id', 'audit_id', 'operation', 'resource');
  for await (const page of pagesOf<ChangeRow>(rows, ['environment_id', 'audit_id'], recent))
    yield page.map(({ environment_id, account_id, audit_id, operation, resource }) => ({
      ...{ environment_id, topic: 'members_and_keys', key: `audit ${audit_id}` },
      ...(environment_id === NO_SITE ? { account_id } : {}),
      message: `${CHANGES[operation]}; the audit trail says by whom.`,
      path: pathOf(environment_id, resource),
    }));
}

/** What sites were seen to have become: it was stored with what was seen, and is told from there. */
async function* seenChanges({ db, now, rows }: Look): AsyncGenerator<SiteNotice[]> {
  const seen = () =>
    db('notice_marks')
      .where('at', '>', new Date(now.getTime() - 2 * DAY_MS))
      .whereRaw("jsonb_array_length(coalesce(value -> 'notices', '[]')) > 0")
      .select('environment_id', 'name', 'value');
  type Mark = { value: { notices?: SiteNotice[] } };
  for await (const page of pagesOf<Mark>(rows, ['environment_id', 'name'], seen))
    yield page.flatMap(({ value }) => value.notices ?? []);
}

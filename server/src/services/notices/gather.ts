import { voucherIds } from '../../config/vouchers';
import type { Context } from '../../context';
import { RUNNING } from '../../db/models/breach-row';
import { pagesOf } from '../../db/pages-of';
import { breachStage, later } from '../../domain/notices';
import { beginning } from '../../domain/text';
import { DAY_MS, HOUR_MS } from '../../domain/time';
import type { Apart } from './apart';
import { damagedLogs, rolledBackLogs, unsealedLogs, unvouchedLogs } from './log-trouble';
import { accountChanges, memberChanges } from './member-changes';
import { newestOf } from './newest';
import { assignedRequests, dueRequests, newRequests, overdueRequests } from './requests';
import type { Look, SiteNotice } from './told';

/** Rows that are read at once, of all sites. */
const ROWS = 2_000;

interface RunningBreach {
  environment_id: string;
  breach_id: string;
  aware_at: Date;
  created_at: Date;
}

const breaches = (look: Look): AsyncGenerator<SiteNotice[]> =>
  newestOf<RunningBreach>(look, {
    ...{ table: 'breaches', key: 'breach_id', columns: ['aware_at', 'created_at'] },
    which: (all) => void all.whereRaw(RUNNING).where('aware_at', '<', new Date(look.now.getTime() - DAY_MS)),
    by: ['aware_at', 'desc'],
    noticesOf: (row) => breachNotice(row, look.now),
  });

function breachNotice(
  { environment_id, breach_id, aware_at, created_at }: RunningBreach,
  now: Date,
): SiteNotice[] {
  const hours = breachStage(aware_at, now);
  if (hours === undefined) return [];
  const message =
    hours === 72
      ? 'The 72 hours to report a breach to the authority have ended: report it now, with the reason for the delay.'
      : `${hours} of the 72 hours to report a breach to the authority have passed.`;
  const key = `breach ${hours} ${breach_id} ${aware_at.toISOString()}`;
  const at = later(new Date(aware_at.getTime() + hours * HOUR_MS), created_at);
  return [{ environment_id, topic: 'breach_clock', key, at, message, path: `/breaches/${breach_id}` }];
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
    ...(status === 'disabled' && disabled_at !== null ? { at: disabled_at } : {}),
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

/** `proven_until` of a script is so long after it was seen. */
const PROVEN = 30 * DAY_MS;
/** A script is missed when two daily checks in a row have not found it. */
const UNSEEN = 36 * HOUR_MS;

async function* scripts({ db, rows }: Look): AsyncGenerator<SiteNotice[]> {
  const unseen = () =>
    db('domain_proofs AS p')
      .join('environments AS e', 'e.id', 'p.environment_id')
      .where({ 'p.method': 'script', 'e.status': 'active', 'e.archived_at': null, 'e.deleted_at': null })
      .whereRaw('p.domain = ANY (e.domains)')
      .whereRaw("p.checked_at > p.proven_until + ? * interval '1 millisecond'", [UNSEEN - PROVEN])
      .select('p.environment_id', 'p.domain', 'p.proven_until');
  for await (const page of pagesOf<UnseenScript>(rows, ['p.environment_id', 'p.domain'], unseen))
    yield page.map(({ environment_id, domain, proven_until }) => ({
      ...{ environment_id, topic: 'script_missing', key: `script ${domain} ${proven_until.toISOString()}` },
      message: `The script of the site is no longer seen on ${beginning(domain, 100)}: visitors there get no banner.`,
      ...{ path: '/settings', at: new Date(proven_until.getTime() + UNSEEN - PROVEN) },
    }));
}

/** What sites were seen to have become: it was stored with what was seen, and is told from there. */
async function* seenChanges({ db, now, rows }: Look): AsyncGenerator<SiteNotice[]> {
  const seen = () =>
    db('notice_marks')
      .where('at', '>', new Date(now.getTime() - 2 * DAY_MS))
      .whereRaw("jsonb_array_length(coalesce(value -> 'notices', '[]')) > 0")
      .select('environment_id', 'name', 'value');
  type Stored = Omit<SiteNotice, 'at'> & { at?: string };
  type Mark = { value: { notices?: Stored[] } };
  for await (const page of pagesOf<Mark>(rows, ['environment_id', 'name'], seen))
    yield page.flatMap(({ value }) =>
      (value.notices ?? []).map(({ at, ...notice }) => ({
        ...notice,
        ...(at === undefined ? {} : { at: new Date(at) }),
      })),
    );
}

const KINDS = [
  ...[
    newRequests,
    assignedRequests,
    overdueRequests,
    dueRequests,
    breaches,
    webhooks,
    scripts,
    memberChanges,
    accountChanges,
    seenChanges,
  ],
  ...[damagedLogs, rolledBackLogs, unvouchedLogs, unsealedLogs],
];

/**
 * What there is to tell of all sites now, by one statement for each kind and page: most of it was told before. It comes
 * at once as far as that is not much, so that a member gets one mail; of much, kinds take turns with their pages.
 */
export async function* gatherNotices(
  { config, ...about }: Omit<Look, 'rows' | 'vouchers'> & Pick<Context, 'config'>,
  apart: Apart,
  rows = ROWS,
): AsyncGenerator<SiteNotice[]> {
  const vouchers = voucherIds(config);
  let gathered: SiteNotice[] = [];
  let open = KINDS.map((kind) => ({ kind: kind.name, pages: kind({ ...about, rows, vouchers }) }));
  while (open.length > 0) {
    const unfinished: typeof open = [];
    for (const one of open) {
      let next: SiteNotice[] | undefined;
      await apart({ kind: one.kind }, async () => {
        const { done, value } = await one.pages.next();
        if (done !== true) next = value;
      });
      if (next !== undefined) unfinished.push(one);
      gathered.push(...(next ?? []));
      if (gathered.length < rows) continue;
      yield gathered;
      gathered = [];
    }
    open = unfinished;
  }
  yield gathered;
}

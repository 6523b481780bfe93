import type { HeldChanges } from './auto-blocking/changes';
import { askAgain } from './banner/asked-vendors';
import { cut } from './cookies/summary';
import { BREACH_NOTICE, DSAR_NOTICE } from './deadlines';
import { beginning } from './text';
import { DAY_MS, HOUR_MS } from './time';
import type { ScanFinding, Warning } from './types';
import { inWords } from './words';

/** The most severe first. */
export const RANK = { critical: 0, warning: 1, info: 2 };

/** A time for a sentence, in whole days or hours, rounded down. */
function span(milliseconds: number): string {
  const length = Math.abs(milliseconds);
  if (length < HOUR_MS) return 'less than an hour';
  const [unit, name] = length < DAY_MS ? [HOUR_MS, 'hour'] : [DAY_MS, 'day'];
  const count = Math.floor(length / unit);
  return `${count} ${name}${count === 1 ? '' : 's'}`;
}

/** A request warns from 7 days before its deadline on (GDPR Art. 12(3)). */
export function dsarWarning(
  request: { request_id: string; request_type: string; deadline: Date },
  now: Date,
): Warning | undefined {
  const left = request.deadline.getTime() - now.getTime();
  if (left > DSAR_NOTICE) return undefined;
  const overdue = left < 0;
  return {
    code: overdue ? 'dsar_overdue' : 'dsar_due',
    severity: overdue ? 'critical' : 'warning',
    message: overdue
      ? `A data-subject request (${inWords(request.request_type)}) is overdue by ${span(left)}: answer it now, and record why it is late.`
      : `A data-subject request (${inWords(request.request_type)}) is due in ${span(left)}: answer it, or extend it with a reason.`,
    subject_id: request.request_id,
    since: request.deadline.toISOString(),
  };
}

/** A breach warns from 24 hours before the end of its 72 hours on (GDPR Art. 33(1)). */
export function breachWarning(
  breach: { breach_id: string; notify_by: Date },
  now: Date,
): Warning | undefined {
  const left = breach.notify_by.getTime() - now.getTime();
  if (left > BREACH_NOTICE) return undefined;
  const overdue = left < 0;
  return {
    code: overdue ? 'breach_overdue' : 'breach_clock',
    severity: 'critical',
    message: overdue
      ? `The 72 hours to report a breach ended ${span(left)} ago: report it to the authority now, with the reason for the delay.`
      : `A breach must be reported to the authority within ${span(left)}.`,
    subject_id: breach.breach_id,
    since: breach.notify_by.toISOString(),
  };
}

/** What a scan found on a page. */
export interface WarnedPage {
  scan_id: string;
  /** The page's address, which may be cut. */
  shown: string;
  findings: readonly ScanFinding[];
  at: Date;
}

/** One warning for each rule that pages break: of the first page that breaks it most severely. */
export function scanWarnings(pages: readonly WarnedPage[]): Warning[] {
  const broken = pages.flatMap((page) => page.findings.map((finding) => ({ ...finding, page })));
  const rules = new Set(broken.map(({ rule }) => rule));
  return [...rules].flatMap((rule) => {
    const [worst, ...others] = broken
      .filter((one) => one.rule === rule)
      .sort((a, b) => RANK[a.severity] - RANK[b.severity]);
    if (worst === undefined) return [];
    const { severity, message, page } = worst;
    const more = others.length === 0 ? '' : ` and ${others.length} more`;
    return {
      code: 'scan_finding' as const,
      severity,
      message: cut(`On ${page.shown}${more}: ${message}`, 500),
      subject_id: page.scan_id,
      since: page.at.toISOString(),
    };
  });
}

/** A published bundle and what would be published now, by the versions of what they are made of. */
export interface BundleState {
  published_at: Date;
  /** When the settings that the banner is made of became others; undefined while they are the same. */
  settingsChangedAt: Date | undefined;
  vendors: { made: number; now: number; changed_at: Date };
  /** When scans ended after which other places wait than in the bundle, and which; undefined when they are the same. */
  scan?: ({ at: Date } & HeldChanges) | undefined;
  /** Whether this version of the product made it. */
  sameProgram: boolean;
  /** Whether it sends decisions to where this server is reached. */
  sameServer: boolean;
}

/**
 * A warning when visitors do not get what the owner has set; compares versions, without making the bundle
 * again.
 */
export function bundleWarning({
  published_at,
  settingsChangedAt,
  vendors,
  sameProgram,
  sameServer,
  scan,
}: BundleState): Warning | undefined {
  const reasons: { what: string; at: Date }[] = [];
  if (settingsChangedAt !== undefined)
    reasons.push({ what: 'the settings were changed', at: settingsChangedAt });
  if (vendors.made !== vendors.now)
    reasons.push({ what: 'the vendors were replaced', at: vendors.changed_at });
  if (scan !== undefined && settingsChangedAt === undefined && vendors.made === vendors.now)
    reasons.push({ what: heldBy(scan), at: scan.at });
  // The time of an upgrade or a move is not recorded.
  if (!sameServer) reasons.push({ what: 'the address of this server has changed', at: published_at });
  if (!sameProgram) reasons.push({ what: 'this product was upgraded', at: published_at });
  const first = reasons[0];
  if (first === undefined) return undefined;
  const lets = scan?.removes
    ? ' Hosts that wait in the present one would then be let pass: look at the list of auto-blocking first.'
    : '';
  return {
    code: 'bundle_outdated',
    severity: 'warning',
    message: `Visitors get an older banner, since ${reasons.map(({ what }) => what).join(' and ')}: generate the bundle again.${lets}`,
    subject_id: null,
    since: first.at.toISOString(),
  };
}

function heldBy({ adds, removes }: HeldChanges): string {
  const found = 'scans found other hosts that should wait for consent';
  const gone = 'hosts that wait in it were not found any more';
  if (adds && removes) return `${found} and ${gone}`;
  if (adds) return found;
  return removes ? gone : 'what is let pass below hosts that wait is something else';
}

/** A warning while the present banner names vendors that visitors who decided earlier were not asked about. */
export const askAgainWarning = (added: readonly string[], since: Date): Warning => ({
  code: 'ask_again',
  severity: 'warning',
  message: askAgain(added),
  subject_id: null,
  since: since.toISOString(),
});

/** A warning while retention deletes nothing, because it would delete too much at once. */
export function retentionWarning(
  hold: { held_since: Date | null; records: number } | undefined,
): Warning | undefined {
  if (hold === undefined || hold.held_since === null) return undefined;
  return {
    code: 'retention_held',
    severity: 'warning',
    message: `Retention would delete ${hold.records.toLocaleString('en')} records, more than a quarter of their kind, and therefore deletes nothing. If you have shortened the retention, allow it; if not, have the server's clock checked first.`,
    subject_id: null,
    since: hold.held_since.toISOString(),
  };
}

/** What is known about a domain's proof. */
export interface WarnedDomain {
  domain: string;
  method: string | null;
  proven_until: Date | null;
}

/** How long a new site has to prove its domains before there is a warning. */
const TIME_TO_PROVE = DAY_MS;
const NAMED_DOMAINS = 3;

/** One warning for all domains that are not proven, or whose transition period is about to end. */
export function domainWarning(
  domains: readonly WarnedDomain[],
  site: { created_at: Date; demo: boolean },
  now: Date,
): Warning | undefined {
  if (site.demo || now.getTime() - site.created_at.getTime() < TIME_TO_PROVE) return undefined;
  const open = domains.filter(
    ({ domain, method, proven_until }) =>
      domain !== 'localhost' && (method === 'earlier' || proven_until === null || proven_until <= now),
  );
  if (open.length === 0) return undefined;
  const ends = open.flatMap(({ proven_until }) => proven_until ?? []).map((end) => end.getTime());
  const until = ends.length > 0 ? new Date(Math.min(...ends)) : undefined;
  const named = open
    .slice(0, NAMED_DOMAINS)
    .map(({ domain }) => beginning(domain, 80))
    .join(', ');
  const more = open.length > NAMED_DOMAINS ? ` and ${open.length - NAMED_DOMAINS} more` : '';
  const lasts = until !== undefined && until > now;
  return {
    code: 'domain_unproven',
    severity: until === undefined ? 'info' : 'warning',
    message: `Nothing proves that ${named}${more} is yours, so the public look-up ${lasts ? 'will soon no longer answer' : 'does not answer'} for your site: put the script of the site on the start page, or publish the TXT record or file that the settings name.`,
    subject_id: null,
    since: (until ?? site.created_at).toISOString(),
  };
}

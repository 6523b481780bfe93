import type {
  ScanChanges,
  ScanDifference,
  ScanEngine,
  ScannedCookie,
  ScannedItem,
  ScannedRequest,
} from '../types';
import { belongsTo } from './party';
import type { ScanResult } from './result';
import { sightOf } from './summary';

/** A scan that is done, and the page that it visited. */
export interface ComparedScan {
  url: string;
  engine: ScanEngine | null;
  result: ScanResult;
}

type Compared = Pick<ScanChanges, 'saw_less' | 'saw_more' | 'cookies' | 'stored_items' | 'hosts'>;

/** What is new, gone and changed in a scan since the one before it of the same page; without one all is new. */
export function compareScans(before: ComparedScan | undefined, after: ComparedScan): Compared {
  const [saw, sees] = [before, after].map((scan) => scan && sightOf(scan.engine, scan.result));
  return {
    saw_less: saw !== undefined && sees !== undefined && sees < saw,
    saw_more: saw !== undefined && sees !== undefined && sees > saw,
    cookies: differ(cookiesOf(before), cookiesOf(after), cookieKey, cookieDifferences),
    stored_items: differ(before?.result.stored_items, after.result.stored_items, itemKey, itemDifferences),
    hosts: differ(thirdParties(before), thirdParties(after), ({ host }) => host, hostDifferences),
  };
}

/** Nothing to compare. */
export const NO_SCAN_CHANGES: Compared = {
  saw_less: false,
  saw_more: false,
  cookies: { added: [], gone: [], changed: [] },
  stored_items: { added: [], gone: [], changed: [] },
  hosts: { added: [], gone: [], changed: [] },
};

interface Changed<One> {
  before: One;
  after: One;
  differences: ScanDifference[];
}

function differ<One>(
  before: readonly One[] = [],
  after: readonly One[] = [],
  keyOf: (one: One) => string,
  differencesOf: (before: One, after: One) => ScanDifference[],
): { added: One[]; gone: One[]; changed: Changed<One>[] } {
  const old = new Map(before.map((one) => [keyOf(one), one]));
  const young = new Map(after.map((one) => [keyOf(one), one]));
  const changed: Changed<One>[] = [];
  for (const [key, one] of young) {
    const was = old.get(key);
    const differences = was === undefined ? [] : differencesOf(was, one);
    if (was !== undefined && differences.length > 0) changed.push({ before: was, after: one, differences });
  }
  return {
    added: [...young].filter(([key]) => !old.has(key)).map(([, one]) => one),
    gone: [...old].filter(([key]) => !young.has(key)).map(([, one]) => one),
    changed,
  };
}

// Scans from before other kinds were told have cookies without a kind.
const cookiesOf = (scan: ComparedScan | undefined): ScannedCookie[] =>
  (scan?.result.cookies ?? []).map((cookie) => ({ ...cookie, storage: 'cookie' }));

/** Hosts that are not the page's own. */
function thirdParties(scan: ComparedScan | undefined): ScannedRequest[] {
  if (scan === undefined) return [];
  const isOwn = belongsTo([new URL(scan.url).hostname]);
  return scan.result.requests.filter(({ host }) => !isOwn(host));
}

const cookieKey = ({ name, domain }: ScannedCookie): string => JSON.stringify([name, domain]);
const itemKey = ({ storage, name, host }: ScannedItem): string => JSON.stringify([storage, name, host]);

const only = (differences: Partial<Record<ScanDifference, boolean>>): ScanDifference[] =>
  Object.entries(differences).flatMap(([name, differs]) => (differs ? [name as ScanDifference] : []));

const cookieDifferences = (one: ScannedCookie, other: ScannedCookie): ScanDifference[] =>
  only({
    category: one.category !== other.category,
    vendor: one.vendor !== other.vendor,
    lifetime: livesOtherwise(one.max_age_seconds, other.max_age_seconds),
    secure: one.secure !== other.secure,
    http_only: one.http_only !== other.http_only,
    same_site: one.same_site !== other.same_site,
    set_before_consent: one.set_before_consent !== other.set_before_consent,
  });

const itemDifferences = (one: ScannedItem, other: ScannedItem): ScanDifference[] =>
  only({
    category: one.category !== other.category,
    vendor: one.vendor !== other.vendor,
    object_stores: one.object_stores.join('\n') !== other.object_stores.join('\n'),
    set_before_consent: one.set_before_consent !== other.set_before_consent,
  });

const hostDifferences = (one: ScannedRequest, other: ScannedRequest): ScanDifference[] =>
  only({
    category: one.category !== other.category,
    vendor: one.vendor !== other.vendor,
    set_before_consent: one.before_consent !== other.before_consent,
  });

const DAY_SECONDS = 86_400;

/** A cookie that ends on a day of the calendar lives a little shorter each day: that is no change. */
function livesOtherwise(one: number, other: number): boolean {
  if (one === 0 || other === 0) return one !== other;
  const difference = Math.abs(one - other);
  return difference > DAY_SECONDS && difference > Math.max(one, other) / 10;
}

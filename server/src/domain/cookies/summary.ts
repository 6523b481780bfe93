import { beginning } from '../text';
import type { ScanEngine, ScanFinding, StorageKind } from '../types';
import { needsConsent, UNCLASSIFIED } from './classification';
import type { ScanResult } from './result';

/** Bytes of a summary, and of the list of a page's cookies. */
export const MAX_BYTES = 4_096;
const MAX_CATEGORIES = 20;

/** How long names and messages are, and how many names are listed: the first of these that fits. */
const SIZES = [
  { name: 100, message: 500, known: 20, unknown: 10 },
  { name: 60, message: 300, known: 12, unknown: 10 },
  { name: 40, message: 150, known: 8, unknown: 5 },
  { name: 16, message: 60, known: 3, unknown: 1 },
];

/** Something kept in the browser that is not necessary. */
export interface StoredThing {
  name: string;
  category: string;
  storage?: StorageKind;
}

/** What is remembered of a page's scan. */
export interface ScanSummary {
  bannerDetected: boolean;
  conclusive: boolean;
  /** The first of what is not necessary. */
  stored: StoredThing[];
  /** Of everything that is not necessary, by category. */
  counts: Record<string, number>;
  /** All but those of severity info. */
  findings: ScanFinding[];
}

/** A cookie of the page's own site that a script can delete: its name and its category. */
export type OwnCookie = readonly [name: string, category: string];

export interface PageSummary {
  /** 2: found what must not be; 1: found what should be looked at, or did not see all; 0: neither. */
  rank: 0 | 1 | 2;
  /** 2: a browser saw the whole page; 1: all that can be seen without a browser; 0: less. */
  sight: 0 | 1 | 2;
  summary: ScanSummary;
  cookies: OwnCookie[];
}

/** Findings that say that a scan saw less than its engine can see. */
export const BLIND = ['scan_incomplete', 'storage_incomplete', 'page_blank', 'result_cut'];

/** Judges a scan that is done once and for all, in few bytes. */
export function summarise(engine: ScanEngine | null, result: ScanResult): PageSummary {
  const { cookies, stored_items = [], banner_detected, conclusive } = result;
  const things = [...cookies, ...stored_items].filter(({ category }) => category !== 'necessary');
  const findings = result.findings.filter(({ severity }) => severity !== 'info');
  const isBad =
    findings.some(({ severity }) => severity === 'critical') ||
    things.some(({ category }) => category !== UNCLASSIFIED);
  const isClear = conclusive && things.length === 0 && findings.length === 0;
  const known = things.filter(({ category }) => category !== UNCLASSIFIED);
  const unknown = things.filter(({ category }) => category === UNCLASSIFIED);
  const counts = countsOf(things);
  const written = SIZES.map((size): ScanSummary => {
    const named = ({ name, category, storage }: StoredThing): StoredThing => ({
      name: beginning(name, size.name),
      category,
      ...(storage === undefined || storage === 'cookie' ? {} : { storage }),
    });
    return {
      bannerDetected: banner_detected,
      conclusive,
      stored: [...known.slice(0, size.known), ...unknown.slice(0, size.unknown)].map(named),
      counts,
      findings: findings.map((one) => ({ ...one, message: cut(one.message, size.message) })),
    };
  });
  return {
    rank: isBad ? 2 : isClear ? 0 : 1,
    sight: sightOf(engine, result),
    summary: written.find(fits) ?? (written.at(-1) as ScanSummary),
    cookies: ownCookies(result),
  };
}

/** How much of its page a scan saw, as a page's summary has it. */
export function sightOf(
  engine: ScanEngine | null,
  { conclusive, findings }: ScanResult,
): PageSummary['sight'] {
  if (conclusive) return 2;
  return engine === 'http' && !findings.some(({ rule }) => BLIND.includes(rule)) ? 1 : 0;
}

/** Of the rarest categories beyond the limit nothing is known; those that need consent come first. */
function countsOf(things: readonly StoredThing[]): Record<string, number> {
  const all = new Map<string, number>();
  for (const { category } of things) all.set(category, (all.get(category) ?? 0) + 1);
  const ranked = [...all].sort(
    ([a, many], [b, few]) => Number(needsConsent(b)) - Number(needsConsent(a)) || few - many,
  );
  const counts = new Map<string, number>();
  for (const [at, [category, count]] of ranked.entries()) {
    const key = at < MAX_CATEGORIES ? category : UNCLASSIFIED;
    counts.set(key, (counts.get(key) ?? 0) + count);
  }
  return Object.fromEntries(counts);
}

function ownCookies({ cookies }: ScanResult): OwnCookie[] {
  const listed: OwnCookie[] = [];
  let bytes = 2;
  for (const { name, category, first_party, http_only } of cookies) {
    if (!first_party || http_only || category === 'necessary' || category === UNCLASSIFIED) continue;
    const one: OwnCookie = [name, category];
    bytes += bytesOf(one) + 1;
    if (bytes > MAX_BYTES) break;
    listed.push(one);
  }
  return listed;
}

export const cut = (text: string, length: number): string =>
  text.length > length ? `${beginning(text, length - 1)}…` : text;

const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));
const fits = (value: unknown): boolean => bytesOf(value) <= MAX_BYTES;

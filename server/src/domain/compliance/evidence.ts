import type { BundleConfig, EnvironmentStatus, Settings, StorageKind, Vendor } from '../types';

/** Everything that the checks examine, read once from the records. */
export interface Evidence {
  now: Date;
  /** As they are saved, which is not what visitors see. */
  settings: Settings;
  banner: {
    /** The one that visitors get; undefined before the first. */
    published: SeenBanner | undefined;
    /** The one that what is saved would give; undefined when nothing was saved since the publication. */
    unpublished: SeenBanner | undefined;
  };
  status: EnvironmentStatus;
  vendors: readonly Vendor[];
  /** Decisions of the last 30 days, and how many of them name a banner that was made. */
  decisions: { total: number; withBanner: number };
  /** Whether the site is active and a banner was made, and shown or answered within the last 7 days. */
  bannerAlive: boolean;
  requests: { resolved: number; resolvedLate: number; overdue: number };
  breaches: { reported: number; reportedLateWithoutReason: number; overdue: number; notReportable: number };
  /** The site's evidence log. */
  log: {
    /** Records that are sealed. */
    size: number;
    /** When the oldest record that is not was made; undefined when none waits. */
    waitingSince: Date | undefined;
    /** Witnesses and authorities that vouch for it. */
    vouchers: number;
    /** Whether a witness has signed a different history of it. */
    isRolledBack: boolean;
    /** Whether records and log do not fit. */
    isDamaged: boolean;
  };
  /** What cookie scans found on the site's pages. */
  scans: {
    /** Each with what its newest telling scan found; none before the first. */
    pages: readonly PageEvidence[];
    /** There are more of them than were looked at. */
    hasMore: boolean;
    /** Finished scans wait for being counted. */
    isBehind: boolean;
  };
}

/** What a scan of a page found before consent. */
export interface PageEvidence {
  /** Its address, which may be cut. */
  page: string;
  at: Date;
  bannerDetected: boolean;
  /** The first of the cookies, and of what else is kept in the browser, that need consent; and how many there are. */
  before: { name: string; category: string; storage?: StorageKind }[];
  beforeCount: number;
  /** The same of those without a known purpose. */
  unclassified: string[];
  unclassifiedCount: number;
  /** A browser completed the visit, so that what it did not find is absent. */
  conclusive: boolean;
}

/** What the checks examine of a banner. */
export interface SeenBanner {
  config: Omit<BundleConfig, 'texts'>;
  /** Keys of categories without a description in one of the languages. */
  silent: readonly string[];
  /** Languages in which texts are missing. */
  gaps: readonly string[];
  vendors: readonly Vendor[];
}

/** What a check found. */
export interface Finding {
  status: 'pass' | 'fail' | 'unknown';
  /** The value that was found, for people. */
  evidence: string;
  /** What to do when it is not a pass. */
  remedy: string;
}

/** One rule: a pure function of the evidence. */
export interface Check {
  id: string;
  title: string;
  /** From 1 to 10. */
  weight: number;
  legalReference: string;
  find(evidence: Evidence): Finding;
}

export const pass = (evidence: string): Finding => ({ status: 'pass', evidence, remedy: '' });
export const fail = (evidence: string, remedy: string): Finding => ({ status: 'fail', evidence, remedy });
export const unknown = (evidence: string, remedy: string): Finding => ({
  status: 'unknown',
  evidence,
  remedy,
});

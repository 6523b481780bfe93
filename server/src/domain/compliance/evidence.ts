import type { Settings, StorageKind, Vendor } from '../types';

/** Everything that the checks examine, read once from the records. */
export interface Evidence {
  now: Date;
  settings: Settings;
  vendors: readonly Vendor[];
  /** Decisions of the last 30 days, and how many of them name a banner version that exists. */
  decisions: { total: number; withBanner: number };
  /** Whether the banner was shown or answered within the last 7 days. */
  bannerAlive: boolean;
  requests: { resolved: number; resolvedLate: number; overdue: number };
  breaches: { reported: number; reportedLateWithoutReason: number; overdue: number; notReportable: number };
  /** The newest finished cookie scan; undefined before the first. */
  scan: ScanEvidence | undefined;
}

/** What a scan found before consent. */
export interface ScanEvidence {
  at: Date;
  bannerDetected: boolean;
  /** Cookies, and what else is kept in the browser, that need consent. */
  before: { name: string; category: string; storage?: StorageKind }[];
  /** Those without a known purpose. */
  unclassified: string[];
  /** A browser completed the visit, so that what it did not find is absent. */
  conclusive: boolean;
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

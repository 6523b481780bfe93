import type {
  ScanEngine,
  ScanFinding,
  ScannedCookie,
  ScannedItem,
  ScannedRequest,
  StorageKind,
} from '../types';

/** The contract's limits for the lists. */
export const MAX_COOKIES = 500;
/** Cookies of a visit that are judged, so that no tracker's is left out for many harmless ones. */
export const MAX_SEEN_COOKIES = 4 * MAX_COOKIES;
export const MAX_ITEMS = 500;
export const MAX_HOSTS = 200;
/** The contract's limit for a host, and that of the DNS: no longer name leads anywhere. */
export const MAX_HOST_LENGTH = 253;

export const isHostLength = (host: string): boolean => host.length <= MAX_HOST_LENGTH;

/** What a visit saw, before it is judged. */
export interface Observation {
  engine: ScanEngine;
  /** Where the redirects led to. */
  finalUrl: string;
  cookies: SeenCookie[];
  /** What is kept besides cookies, each once. */
  items: SeenItem[];
  /** Some of it was left out: there was too much, or a frame did not answer. */
  itemsCut: boolean;
  /** Host names that the page made the browser speak to, each once, its own included. */
  hosts: string[];
  /** Those from which the page's banner held something before a decision. */
  held?: string[];
  bannerDetected: boolean;
  /** The page shows nothing: what it would do with content is not seen. */
  blank: boolean;
  /** The limit that ended the visit before its natural end. */
  cutShort: Limit | undefined;
}

export type Limit = 'time' | 'bytes' | 'requests' | 'hosts';

export interface SeenCookie {
  name: string;
  /** Without a leading dot. */
  domain: string;
  /** Counted from the end of the visit; 0 for a session cookie. */
  maxAgeSeconds: number;
  secure: boolean;
  httpOnly: boolean;
  sameSite: 'Strict' | 'Lax' | 'None' | null;
}

/** An item of a browser's storage, or a database in it: names alone. */
export interface SeenItem {
  storage: Exclude<StorageKind, 'cookie'>;
  name: string;
  host: string;
  objectStores: string[];
}

/** What is stored of a scan that is done. */
export interface ScanResult {
  cookies: ScannedCookie[];
  /** Not of scans from before it was looked at. */
  stored_items?: ScannedItem[];
  requests: ScannedRequest[];
  /** Hosts from which the site's own banner held something; not of scans from before it was asked. */
  held_hosts?: string[];
  banner_detected: boolean;
  findings: ScanFinding[];
  /** A browser completed the visit, so that what it did not find is absent. */
  conclusive: boolean;
}

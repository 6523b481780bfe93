import type { Limit, SeenItem } from '../domain/cookies/result';
import { MAX_ADDRESS } from './redirect';

/** What the server tells a driver first, as one line of JSON. */
export interface Task {
  url: string;
  /** The browser's program. */
  program: string;
  /** Of this scan alone: profile, launcher and temporary files. */
  folder: string;
  /** Where the browser keeps its own temporary files. */
  temporary: string;
  proxy: { server: string; username: string; password: string };
  sandbox: boolean;
  userAgent: string;
  limits: DriverLimits;
}

/** The part of a scan's limits that the driver keeps. Times in milliseconds. */
export interface DriverLimits {
  totalMs: number;
  /** Of the time, for reading the result. */
  reserveMs: number;
  bytes: number;
  requests: number;
  memoryMb: number;
  quietMs: number;
  settleMs: number;
}

/** Told later, once: a limit was reached, so that what was seen until now is read. */
export interface Ending {
  reached: Limit;
}

/** What the browser told of since the last line; both count for the limits that the server keeps. */
export interface Counts {
  requests: number;
  bytes: number;
}

/** A cookie as the browser has it. */
export interface BrowserCookie {
  name: string;
  domain: string;
  /** Seconds since 1970; -1 for a session cookie. */
  expires: number;
  secure: boolean;
  httpOnly: boolean;
  sameSite?: 'Strict' | 'Lax' | 'None';
}

/** What a visit saw, before the server's part of it is added. */
export interface Seen {
  finalUrl: string;
  cookies: BrowserCookie[];
  items: SeenItem[];
  itemsCut: boolean;
  hosts: string[];
  /** Hosts from which the page's banner says that it held something. */
  held?: string[];
  hasBanner: boolean;
  blank: boolean;
}

/** A driver's last line, and the only long one. */
export type Answer =
  | { seen: Seen }
  /** The message of a `ScanFailure`; the host is the one that the page's navigation ended at. */
  | { failed: string; host?: string | undefined }
  /** The library or the browser cannot be used here. */
  | { unusable: string }
  | { broken: string };

/** Bytes that a driver may write in all. */
export const MAX_ANSWER = 8 * 1024 * 1024;

/** Pages choose what a driver tells, and the database takes neither half a character nor NUL. */
const storable = (_key: string, value: unknown): unknown =>
  typeof value === 'string' ? value.toWellFormed().replaceAll('\0', '') : value;

/** What a line of a driver says, its texts such that they can be stored; undefined: nothing that it may say. */
export function readLine(line: string): Counts | Answer | undefined {
  try {
    const said = JSON.parse(line, storable) as Partial<
      Counts & { seen: Partial<Seen>; failed: string; unusable: string; broken: string }
    >;
    if (Number.isSafeInteger(said.requests) && Number.isSafeInteger(said.bytes)) return said as Counts;
    if ([said.failed, said.unusable, said.broken].some((text) => typeof text === 'string'))
      return said as Answer;
    const { finalUrl, cookies, items, hosts } = said.seen ?? {};
    const isAddress = typeof finalUrl === 'string' && finalUrl.length <= MAX_ADDRESS;
    const isWhole = isAddress && [cookies, items, hosts].every(Array.isArray);
    return isWhole ? (said as Answer) : undefined;
  } catch {
    return undefined;
  }
}

import { Resolver } from 'node:dns';
import { accessSync, constants } from 'node:fs';
import { isIP } from 'node:net';
import { resolve } from 'node:path';
import pg from 'pg';
import proxyAddr from 'proxy-addr';
import { readHosts } from '../db/read-hosts';
import { isEmail } from '../domain/addresses';
import { isCommonPassword } from '../domain/common-passwords';
import { readNetwork } from '../net/address';

// Each reader turns the text of a variable into its value, or throws an error that says what to set.

export function integer(min: number, max: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (!/^\d+$/.test(text) || value < min || value > max)
      throw new Error(`a whole number from ${min} to ${max}`);
    return value;
  };
}

export function share(text: string): number {
  if (!/^(0(\.\d{1,6})?|1(\.0{1,6})?)$/.test(text)) throw new Error('a number from 0 to 1, such as 0.01');
  return Number(text);
}

export function oneOf<T extends string>(values: readonly T[]): (text: string) => T {
  return (text) => {
    const found = values.find((value) => value === text);
    if (found === undefined) throw new Error(`one of ${values.join(', ')}`);
    return found;
  };
}

export function onOff(text: string): boolean {
  if (['on', '1', 'true'].includes(text)) return true;
  if (['off', '0', 'false'].includes(text)) return false;
  throw new Error('on or off');
}

export function text(value: string): string {
  return value;
}

export function webAddress(text: string): string {
  if (!/^https?:\/\/[^\s?#]+$/.test(text) || !URL.canParse(text)) throw new Error('an http or https URL');
  return text.replace(/\/+$/, '');
}

export function databaseAddress(text: string): string {
  try {
    // The driver has its own URL rules; only here can a mistake be reported by name.
    const { urls } = readHosts(text);
    if (urls.every((url) => new pg.Client({ connectionString: url }).database)) return text;
  } catch {
    // Reported below without quoting the URL, which holds a password.
  }
  throw new Error(
    'a URL such as postgres://user:password@host:5432/avow (special characters in the password as %XX)',
  );
}

export function secret(text: string): string {
  if (text.length < 32) throw new Error('at least 32 random characters (openssl rand -base64 48)');
  return text;
}

export function key(text: string): string {
  if (Buffer.from(text, 'base64').length !== 32)
    throw new Error('32 random bytes in base64 (openssl rand -base64 32)');
  return text;
}

export function severalOf(read: (text: string) => string): (text: string) => string[] {
  return (text) => text.trim().split(/\s+/).map(read);
}

export function password(text: string): string {
  if (text.length < 12 || text.length > 200) throw new Error('12 to 200 characters');
  if (isCommonPassword(text)) throw new Error('one that is not among the most common passwords');
  return text;
}

export function email(text: string): string {
  if (!isEmail(text)) throw new Error('an e-mail address such as owner@example.com');
  return text;
}

export function origins(text: string): string[] {
  const list = text.split(',').map((part) => part.trim());
  for (const origin of list) {
    if (!URL.canParse(origin) || new URL(origin).origin !== origin) {
      throw new Error('origins such as https://console.example.com, separated by commas');
    }
  }
  return list;
}

export function schedule(text: string): number[] {
  const seconds = text.split(',').map((part) => Number(part.trim() || Number.NaN));
  if (seconds.length !== 4 || !seconds.every((value) => value >= 0 && value <= 86_400)) {
    throw new Error('four numbers of seconds from 0 to 86400, separated by commas');
  }
  return seconds;
}

export function networks(text: string): string[] {
  const list = text.split(',').map((part) => part.trim());
  for (const network of list) readNetwork(network);
  return list;
}

export function nameServers(text: string): string[] {
  const list = text.split(',').map((part) => part.trim());
  try {
    new Resolver().setServers(list);
    return list;
  } catch {
    throw new Error('addresses such as 10.0.0.2 or [fd00::2]:5353, separated by commas');
  }
}

export function program(text: string): string {
  try {
    accessSync(text, constants.X_OK);
    return resolve(text);
  } catch {
    throw new Error('the path of a Chromium program, or remove it to take the one on PATH');
  }
}

/** The header that names a visitor's country, and the one that names the part of it, if there is one. */
export interface RegionHeader {
  country: string;
  part: string | undefined;
}

export function regionHeader(text: string): RegionHeader {
  const names = text.split(',').map((part) => part.trim().toLowerCase());
  const [country, part] = names;
  if (country === undefined || names.length > 2 || !names.every((name) => /^[a-z0-9-]{1,64}$/.test(name)))
    throw new Error(
      'the name of the header with the country, and behind a comma that of the header with the state, such as CF-IPCountry,CF-Region-Code',
    );
  return { country, part };
}

/** Whose `X-Forwarded-For` counts: nobody's, that of any listed address, or that of a number of proxies in a row. */
export type Proxies = false | string[] | { hops: number; nearest: string[] };

/** Where a proxy that is only counted may stand: loopback, link-local, private and shared by carriers (RFC 6598). */
const INWARD = ['loopback', 'linklocal', 'uniquelocal', '100.64.0.0/10'];

export function proxies(text: string): Proxies {
  if (/^(off|false|0+)$/.test(text)) return false;
  const [first = '', ...others] = text.split(',').map((part) => part.trim());
  const hops = /^(on|true)$/.test(first) ? 1 : Number(/^[1-9]\d?$/.exec(first)?.[0]);
  const listed = hops > 0 ? others : [first, ...others];
  if (!listed.every(isProxy)) {
    throw new Error(
      'off, a number of proxies, or addresses of proxies as CIDRs separated by commas; a number may stand before the addresses of the nearest one',
    );
  }
  if (!(hops > 0)) return listed;
  return { hops, nearest: listed.length > 0 ? listed : INWARD };
}

function isProxy(text: string): boolean {
  if (['loopback', 'linklocal', 'uniquelocal'].includes(text)) return true;
  try {
    proxyAddr.compile(text);
    return isIP(text.split('/', 1)[0] as string) !== 0;
  } catch {
    return false;
  }
}

import { normaliseDomain } from '../domain/addresses';
import { emailKey } from '../domain/email-keys';
import type { Role } from '../domain/types';

/** Providers, and rules and domains of one of them, at most. */
const MOST = { providers: 10, rules: 200, domains: 100 };

/** What people of a group may do: a role on a site, or only have an account. */
export interface AccessRule {
  /** A value of the groups claim; `*` is whoever the provider lets in. */
  group: string;
  /** null: an account, and no site. */
  grant: { role: Role; site: string } | null;
}

/** A provider of log-ins (OpenID Connect Core 1.0). */
export interface Provider {
  /** Its name in addresses and in variables. */
  id: string;
  /** What people read. */
  name: string;
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** How the secret is sent; undefined: as the provider's metadata say. */
  clientAuth: 'basic' | 'post' | undefined;
  scopes: string;
  /** Path of the claim that holds groups, such as `groups` or `realm_access.roles`. */
  groupsClaim: readonly string[];
  access: readonly AccessRule[];
  /** The domains whose addresses it may speak for, in A-labels; `*` is any. */
  emailDomains: readonly string[];
  /** Whether every e-mail address of the provider counts as verified. */
  trustsEmails: boolean;
  /** Whether a log-out is also one at the provider. */
  logsOut: boolean;
}

/** The ids of all providers, separated by commas. */
export function providerIds(text: string): string[] {
  const ids = text.split(',').map((part) => part.trim());
  const wrong = 'names such as acme or acme,google: lower-case letters, digits and hyphens, each once';
  if (!ids.every((id) => /^[a-z][a-z0-9-]{0,31}$/.test(id)) || new Set(ids).size < ids.length)
    throw new Error(wrong);
  if (ids.length > MOST.providers) throw new Error(`${MOST.providers} names at most`);
  return ids;
}

/** Plain http is read and changed by anybody on the way, so it is for this machine alone. */
export function issuer(text: string): string {
  const wrong =
    'the issuer that the provider names in its metadata: an https URL (http only on localhost) without ? and #';
  if (!URL.canParse(text) || /[?#\s]/.test(text)) throw new Error(wrong);
  const { protocol, hostname, username, password } = new URL(text);
  const isHere = ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
  if (username !== '' || password !== '' || !(protocol === 'https:' || (protocol === 'http:' && isHere)))
    throw new Error(wrong);
  return text;
}

/** Domains separated by commas, or `*`. */
export function emailDomains(text: string): string[] {
  const parts = text.split(',').map((part) => part.trim());
  if (parts.length > MOST.domains) throw new Error(`${MOST.domains} domains at most`);
  return parts.map((part) => {
    // Whatever else a web address may have is no part of a domain.
    const domain = part === '*' ? part : /[/?#%@:\s]/.test(part) ? undefined : normaliseDomain(part);
    if (domain === undefined)
      throw new Error('domains such as example.com, separated by commas, or * for any');
    return domain;
  });
}

/** Whether a provider is believed about whose an e-mail address is. */
export function speaksFor({ emailDomains: domains }: Provider, email: string): boolean {
  const key = emailKey(email);
  return domains.includes('*') || domains.includes(key.slice(key.lastIndexOf('@') + 1));
}

export function scopes(text: string): string {
  const list = text.split(/\s+/);
  if (!list.includes('openid') || !list.every((one) => /^[!#-[\]-~]{1,100}$/.test(one)) || list.length > 20)
    throw new Error('scopes separated by spaces, one of them openid');
  return list.join(' ');
}

export function claimPath(text: string): string[] {
  const path = text.split('.');
  if (path.length > 5 || !path.every((part) => /^\S{1,100}$/.test(part)))
    throw new Error('the name of a claim such as groups, or a path such as realm_access.roles');
  return path;
}

/** `role site group` or `account group`, several separated by semicolons or lines. */
export function accessRules(text: string): AccessRule[] {
  const parts = text.split(/[;\n]/).map((part) => part.trim());
  const rules = parts.filter((part) => part !== '').map(accessRule);
  if (rules.length > MOST.rules) throw new Error(`${MOST.rules} rules at most`);
  return rules;
}

function accessRule(text: string): AccessRule {
  const granted = /^(owner|operator|viewer) (env_[0-9A-Za-z]{22}) (\S.{0,199})$/.exec(text);
  if (granted !== null) {
    const [, role, site = '', group = ''] = granted;
    return { group, grant: { role: role as Role, site } };
  }
  const group = /^account (\S.{0,199})$/.exec(text)?.[1];
  if (group !== undefined) return { group, grant: null };
  throw new Error(
    'rules separated by semicolons, each "owner|operator|viewer TOKEN-OF-SITE GROUP" or "account GROUP", such as "owner env_4fJ7kQ2mX9pL1sT6vW3yZa Shop admins; account staff"',
  );
}

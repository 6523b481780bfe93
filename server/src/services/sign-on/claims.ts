import type { Provider } from '../../config';
import { isEmail } from '../../domain/addresses';
import { clock } from '../../domain/clock';
import { unauthorized } from '../../domain/errors';
import { isVisible } from '../../domain/printable';
import { TOLERANCE } from './provider-client';

/** Groups of a person that are looked at. */
const MOST_GROUPS = 2_000;

/** A subject or a session of a provider (OpenID Connect Core 1.0 § 2). */
export const ID = /^[ -~]{1,255}$/;

/** Who somebody is at a provider, as far as it is used here. */
export interface Person {
  issuer: string;
  subject: string;
  /** Undefined when the provider gave none that can be one. */
  email: string | undefined;
  emailVerified: boolean;
  name: string | undefined;
  groups: ReadonlySet<string>;
  /** The provider's name of its session. */
  sid: string | undefined;
  /** Whether the person proved more than a password there (RFC 8176). */
  secondFactor: boolean;
  /** When the provider asked who they are, if it says so, in milliseconds since 1970. */
  authenticatedAt: number | undefined;
}

type Claims = Readonly<Record<string, unknown>>;

/** Reads the claims of an ID token, with those of the user info beneath. */
export function personOf(provider: Provider, claims: Claims & { iss: string; sub: string }): Person {
  const { iss, sub, email, name, sid, amr, auth_time } = claims;
  return {
    issuer: iss,
    subject: sub,
    email: typeof email === 'string' && isEmail(email) ? email : undefined,
    // Some providers write it as a text.
    emailVerified:
      provider.trustsEmails || claims.email_verified === true || claims.email_verified === 'true',
    name: typeof name === 'string' ? shownName(name) : undefined,
    groups: groupsOf(claims, provider.groupsClaim),
    sid: typeof sid === 'string' && ID.test(sid) ? sid : undefined,
    secondFactor: Array.isArray(amr) && amr.includes('mfa'),
    authenticatedAt: typeof auth_time === 'number' ? momentOf(auth_time) : undefined,
  };
}

/** Whether a claim that matters is not there: some providers tell it only where the user info is. */
export const lacksClaims = ({ groupsClaim, access }: Provider, claims: Claims): boolean =>
  claims.email === undefined || (access.length > 0 && valueAt(claims, groupsClaim) === undefined);

/** A moment that has been, whatever the provider says. */
const momentOf = (seconds: number): number => Math.max(0, Math.min(Math.floor(seconds) * 1000, clock.now()));

/** Throws 401 unless the person was asked since the flow began (OpenID Connect Core 1.0 § 3.1.3.7). */
export function demandFresh({ name }: Provider, { auth_time }: Claims, begunAt: number): void {
  if (typeof auth_time !== 'number')
    throw unauthorized(
      `${name} does not say when it asked who you are (auth_time): prove it in another way, and tell whoever runs this server.`,
    );
  if (auth_time + TOLERANCE < begunAt / 1000)
    throw unauthorized(`${name} did not ask who you are now (auth_time): prove it in another way.`);
}

function groupsOf(claims: Claims, path: readonly string[]): Set<string> {
  const found = valueAt(claims, path);
  const list = Array.isArray(found) ? found.slice(0, MOST_GROUPS) : [found];
  return new Set(list.filter((group): group is string => typeof group === 'string'));
}

/** A claim may have dots in its own name, as those of namespaces do. */
function valueAt(claims: Claims, path: readonly string[]): unknown {
  const whole = path.join('.');
  if (Object.hasOwn(claims, whole)) return claims[whole];
  let value: unknown = claims;
  for (const part of path) {
    if (value === null || typeof value !== 'object' || !Object.hasOwn(value, part)) return undefined;
    value = (value as Claims)[part];
  }
  return value;
}

function shownName(name: string): string | undefined {
  const text = name
    .replace(/\p{Cc}/gu, ' ')
    .trim()
    .slice(0, 200)
    .toWellFormed();
  return isVisible(text) ? text : undefined;
}

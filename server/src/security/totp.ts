import { Secret, TOTP } from 'otpauth';

/** As every authenticator app has them (RFC 6238): SHA-1, 6 digits, 30 seconds. */
const RULES = { algorithm: 'SHA1', digits: 6, period: 30 } as const;
/** Steps before and after now that a code may be of: clocks differ, and typing takes time. */
const WINDOW = 1;
/** 160 bits, as long as the hash (RFC 4226 § 4). */
const BYTES = 20;

/** A new secret in base32. */
export const newTotpSecret = (): string => new Secret({ size: BYTES }).base32;

/** What an app reads as a QR code. */
export const totpUri = (secret: string, email: string): string =>
  new TOTP({ ...RULES, issuer: 'Avow', label: email, secret: Secret.fromBase32(secret) }).toString();

/**
 * The step of a code; undefined for a wrong one, and for one of a step that was used, or of an earlier one.
 * @param now milliseconds since 1970
 */
export function stepOfCode(secret: string, code: string, lastStep: number, now: number): number | undefined {
  const totp = new TOTP({ ...RULES, secret: Secret.fromBase32(secret) });
  const delta = totp.validate({ token: code, timestamp: now, window: WINDOW });
  if (delta === null) return undefined;
  const step = Math.floor(now / 1000 / RULES.period) + delta;
  return step > lastStep ? step : undefined;
}

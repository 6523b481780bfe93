import type { Role, Scope } from './types';

/**
 * Keys with one of these may decide as a visitor, must name a session to erase it, can have each sent to an address of
 * their choice, or get packs that are proof only with the session's own id.
 */
const SEEING: readonly Scope[] = ['consents:write', 'erasures:write', 'webhooks:write', 'evidence:read'];

/** A person, or a program by its key. */
export interface SessionReader {
  key?: { scopes: readonly Scope[] } | undefined;
}

/** Whether somebody is shown sessions' ids: with such an id anybody can decide as the visitor. */
export const seesSessions = (role: Role, { key }: SessionReader): boolean =>
  role !== 'viewer' && (key === undefined || SEEING.some((scope) => key.scopes.includes(scope)));

const PREFIX = 'fp_';

/** Whether a text, which has the form of an id or a fingerprint, is a fingerprint. */
export const isFingerprint = (ref: string): boolean => ref.startsWith(PREFIX);

export const fingerprintText = (bytes: Buffer): string => PREFIX + bytes.toString('base64url');

export const fingerprintBytes = (ref: string): Buffer => Buffer.from(ref.slice(PREFIX.length), 'base64url');

import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { clock } from '../../domain/clock';
import { unauthorized } from '../../domain/errors';
import type { Vault } from '../../security/vault';
import { openSealed, sealFor } from './sealed';

/** How long a log-in at a provider may take, in milliseconds. */
const LIFETIME = 10 * 60_000;
/** Distinguishes it from all else that an earlier build has sealed. */
const KIND = 'state of a log-in';

/** A log-in that has begun: it travels sealed through the provider, so that beginning one stores nothing. */
export interface Flow {
  kind: typeof KIND;
  provider: string;
  /** SHA-256 of the browser's secret. */
  challenge: string;
  nonce: string;
  /** RFC 7636 § 4.1 */
  verifier: string;
  /** The account that a provider's is linked to; undefined: somebody logs in. */
  userId?: number;
  /** Whether the provider must ask the person again. */
  reauthenticate?: boolean;
  /** In milliseconds since 1970. */
  until: number;
}

const random = (): string => randomBytes(32).toString('base64url');

export function beginFlow(vault: Vault, begun: Omit<Flow, 'kind' | 'nonce' | 'verifier' | 'until'>) {
  const flow: Flow = {
    ...{ kind: KIND, ...begun, nonce: random(), verifier: random() },
    until: clock.now() + LIFETIME,
  };
  return { flow, state: sealFor(vault, flow) };
}

interface Returned {
  provider: string;
  state: string;
  secret: string;
}

/** The flow that a browser has come back with; only the browser that began it has the secret. Throws 401. */
export function openFlow(
  vault: Vault,
  { provider, state, secret }: Returned,
  userId?: number,
): Flow & { hash: Buffer; begunAt: number } {
  const sealed = Buffer.from(state, 'base64url');
  const flow = openSealed<Flow>(vault, sealed, KIND);
  if (flow?.provider !== provider || flow.userId !== userId || !fits(flow, secret))
    throw unauthorized('This log-in did not begin in this browser: begin it again.');
  if (flow.until < clock.now()) throw unauthorized('This log-in took more than ten minutes: begin it again.');
  // Of its bytes, because a text in base64url has several spellings.
  const hash = createHash('sha256').update(sealed).digest();
  return { ...flow, hash, begunAt: flow.until - LIFETIME };
}

const fits = ({ challenge }: Flow, secret: string): boolean => {
  const [own, given] = [Buffer.from(challenge), Buffer.from(hashed(secret))];
  return own.length === given.length && timingSafeEqual(own, given);
};

const hashed = (secret: string): string => createHash('sha256').update(secret).digest('base64url');

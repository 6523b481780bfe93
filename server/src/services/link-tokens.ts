import { createHash, createHmac, randomBytes } from 'node:crypto';
import type { Context } from '../context';
import { clock } from '../domain/clock';
import { subnetOf } from '../domain/mask';
import type { Client } from '../ingest/decision';

/** For how long a token holds, in seconds: a page that loads slowly is there by then. */
export const LINK_SECONDS = 60;
/** Of a token: as many as nobody can guess. */
const BYTES = 24;

/** Whose browser takes a choice along, and from or to which page. */
interface Browser {
  client: Pick<Client, 'userAgent'>;
  address: string;
  origin: string | undefined;
}

type Store = Pick<Context, 'visitorDb' | 'serverSecrets'>;

/** What a token stands for. */
export interface Carried {
  session_id: string;
  /** The record of the decision. */
  consent_id: string;
}

/** Makes a token. Resolves once it is stored. */
export async function storeLink(
  { visitorDb, serverSecrets }: Store,
  environment_id: string,
  { session_id, consent_id }: Carried,
  browser: Browser,
): Promise<string> {
  const link = randomBytes(BYTES).toString('base64url');
  await visitorDb('link_tokens').insert({
    ...{ environment_id, hash: hashOf(link), session_id, consent_id },
    ...hashesOf(await serverSecrets.read('links'), environment_id, browser),
    expires_at: new Date(clock.now() + LINK_SECONDS * 1000),
  });
  return link;
}

type Stored = Carried & { address_hash: Buffer; agent_hash: Buffer; expires_at: Date };

/**
 * Uses a token up, whoever brings it: at once and for good, so that it is taken once even by many requests, and a failure
 * later on leaves one that nobody can use. Undefined when there is none, it is too old, or another browser's.
 */
export async function spendLink(
  { visitorDb, serverSecrets }: Store,
  environment_id: string,
  link: string,
  browser: Browser,
): Promise<Carried | undefined> {
  const secret = await serverSecrets.read('links');
  const [row] = await visitorDb('link_tokens')
    .where({ environment_id, hash: hashOf(link) })
    .delete<Stored[]>(['session_id', 'consent_id', 'address_hash', 'agent_hash', 'expires_at']);
  if (row === undefined || row.expires_at.getTime() <= clock.now()) return undefined;
  const { address_hash, agent_hash } = hashesOf(secret, environment_id, browser);
  return row.address_hash.equals(address_hash) && row.agent_hash.equals(agent_hash) ? row : undefined;
}

const hashOf = (link: string): Buffer => createHash('sha256').update(link).digest();

/** Tells browsers apart without saying which they are. */
function hashesOf(secret: Buffer, environmentId: string, { client, address, origin }: Browser) {
  const hash = (kind: string, text: string | null): Buffer =>
    createHmac('sha256', secret)
      .update(JSON.stringify([kind, environmentId, text]))
      .digest();
  // Whoever shares a network can answer for a page without TLS: a choice that was made there stays there.
  const scheme = origin?.split(':', 1)[0] ?? '';
  const from = `${scheme} ${subnetOf(address)}`;
  return { address_hash: hash('address', from), agent_hash: hash('agent', client.userAgent) };
}

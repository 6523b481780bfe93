import { createHash, createHmac, randomBytes } from 'node:crypto';
import type { Knex } from 'knex';
import type { Context } from '../context';
import { ConsentRow } from '../db/models';
import { clock } from '../domain/clock';
import { subnetOf } from '../domain/mask';
import type { Asked } from '../ingest/asked';
import type { Client } from '../ingest/decision';

/** For how long a token holds, in seconds: a page that loads slowly is there by then. */
export const LINK_SECONDS = 60;
/** Of a token: as many as nobody can guess. */
const BYTES = 24;

/** Whose browser takes a choice along. */
interface Browser {
  client: Pick<Client, 'userAgent'>;
  address: string;
}

type Store = Pick<Context, 'visitorDb' | 'serverSecrets'>;

/** What a token stands for. */
export interface Carried {
  session_id: string;
  /** The record of the decision. */
  consent_id: string;
}

/** A session's decision in force. */
export interface InForce {
  /** The record that made it the session's latest choice. */
  latest: ConsentRow;
  /** That of the decision itself: another one where it was brought along. */
  decided: ConsentRow;
}

/** What a session decided last. */
export async function decisionOf(
  db: Knex,
  environment_id: string,
  session_id: string,
): Promise<InForce | undefined> {
  const choice = await db('session_choices')
    .where({ environment_id, session_id })
    .first<{ consent_id: string } | undefined>('consent_id');
  const record = async (id: string): Promise<ConsentRow | undefined> =>
    ConsentRow.records(db).where({ environment_id }).modify('withId', id).first();
  const latest = choice && (await record(choice.consent_id));
  const decided = latest?.linked_from == null ? latest : await record(latest.linked_from);
  return latest && decided && { latest, decided };
}

/**
 * Whether a decision may be in force on other domains, too: a visitor made it, on a page, and it holds; what a framework's
 * string says cannot be taken along, nor a decision beside a signal that refuses.
 */
export const canBeCarried = ({
  decided: { recorded_by, gpc, tc_string, gpp_string, expires_at },
}: InForce): boolean =>
  recorded_by === 'visitor' && !gpc && tc_string === null && gpp_string === null && secondsTo(expires_at) > 0;

export const secondsTo = (end: Date): number => Math.floor((end.getTime() - clock.now()) / 1000);

/** Whether the banner of another page asks for what a decision is about, by the same rule. */
export function asksForSame(
  { policy_version, categories, vendors, rule }: ConsentRow,
  source: Asked,
  there: Asked,
  stated: string | undefined,
): boolean {
  const kinds = ({ shown }: Asked) => shown.categories.map(({ key, required }) => `${key} ${required}`);
  const optional = there.shown.categories.filter(({ required }) => !required).map(({ key }) => key);
  return (
    source.isNamed &&
    there.isNamed &&
    policy_version === there.shown.policy_version &&
    rule === (stated ?? null) &&
    areSame(kinds(source), kinds(there)) &&
    areSame(Object.keys(categories), optional) &&
    areSame(
      Object.keys(vendors ?? {}),
      (there.vendors ?? []).map(({ id }) => `${id}`),
    )
  );
}

const areSame = (some: readonly string[], others: readonly string[]): boolean =>
  some.length === others.length && some.every((one) => others.includes(one));

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
function hashesOf(secret: Buffer, environmentId: string, { client, address }: Browser) {
  const hash = (kind: string, text: string | null): Buffer =>
    createHmac('sha256', secret)
      .update(JSON.stringify([kind, environmentId, text]))
      .digest();
  return { address_hash: hash('address', subnetOf(address)), agent_hash: hash('agent', client.userAgent) };
}

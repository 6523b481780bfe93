import type { Knex } from 'knex';
import type { Context } from '../../context';
import { nameSite } from '../../db/find-settled-time';
import { takeStep } from '../../db/ledger/steps';
import { DsarRow, EnvironmentRow } from '../../db/models';
import { clock } from '../../domain/clock';
import { withEntry } from '../../domain/history';
import { isEnvironmentToken } from '../../domain/ids';
import { COURTESIES, DISOWNED, UNWANTED } from '../../mail/queue-mail';
import { isSigned, type LinkPurpose } from './links';
import { answerAbout, verifyAbout } from './requester-mails';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** A link about a request, as its path names it. */
export interface RequestLink {
  token: string;
  request_id: string;
  signature: string;
}

export interface Linked {
  site: EnvironmentRow;
  row: DsarRow;
}

type Wiring = Pick<Context, 'db' | 'mail'>;

const siteBy = (db: Knex, token: string) =>
  EnvironmentRow.query(db).findOne({ token }).whereNull('deleted_at');

/** The request that a link is about; undefined when the link is not valid, or no longer. */
export async function linkedRequest(
  { db, mail }: Wiring,
  purpose: Extract<LinkPurpose, 'verify' | 'disown' | 'status' | 'answer'>,
  { token, request_id, signature }: RequestLink,
): Promise<Linked | undefined> {
  if (!isEnvironmentToken(token) || !UUID.test(request_id)) return undefined;
  const site = await siteBy(db, token);
  const row = site && (await DsarRow.query(db).findById([site.id, request_id]));
  if (row === undefined || site === undefined) return undefined;
  const about = purpose === 'answer' ? answerAbout(row) : verifyAbout(row);
  if (!(await isSigned(mail, purpose, about, signature))) return undefined;
  if (purpose === 'status' || purpose === 'disown') return { site, row };
  const ended =
    purpose === 'verify'
      ? (row.status === 'resolved' && row.email_verified_at === null) || hasSaidEnough(row)
      : row.status !== 'resolved' || row.disowned_at !== null;
  return ended ? undefined : { site, row };
}

/** Whether the holder of the address stands by the request, as they said last. */
export const isOwned = ({ email_verified_at, disowned_at }: DsarRow): boolean =>
  email_verified_at !== null && disowned_at === null;

const VERIFIED = 'address verified';
const NOT_MADE = 'not made by the holder of the address';
/** How often the holder of an address may change their mind: each time is a step of the history and of the log. */
const STATEMENTS = 10;

/** Whether nothing but disowning the request counts from now on: that is always possible, and then final. */
const hasSaidEnough = (row: DsarRow): boolean =>
  !isOwned(row) &&
  row.history.filter(({ action }) => action === VERIFIED || action === NOT_MADE).length >= STATEMENTS;

/** Notes that whoever made a request has opened the link that was mailed to the address; once. */
export async function verifyAddress({ db }: Wiring, { site, row }: Linked): Promise<void> {
  if (isOwned(row)) return;
  await db.transaction(async (trx) => {
    const present = await lockRequest(trx, site, row.request_id);
    if (present === undefined || isOwned(present) || present.status === 'resolved') return;
    if (hasSaidEnough(present)) return;
    const patch = { email_verified_at: clock.date(), disowned_at: null };
    await noteStep(trx, present, VERIFIED, null, patch);
  });
}

/**
 * Notes that the holder of the address did not make a request, which anybody could have sent in their name: from now on
 * they get nothing about it.
 */
export async function disownRequest({ db }: Wiring, { site, row }: Linked): Promise<void> {
  await db.transaction(async (trx) => {
    const present = await lockRequest(trx, site, row.request_id);
    if (present === undefined || present.disowned_at !== null) return;
    const patch = { email_verified_at: null, disowned_at: clock.date() };
    await noteStep(trx, present, NOT_MADE, null, patch);
    const { environment_id, request_id } = present;
    await withholdPending(trx, (mails) => void mails.where({ environment_id, request_id }), DISOWNED);
  });
}

export async function lockRequest(
  trx: Knex.Transaction,
  { id }: Pick<EnvironmentRow, 'id'>,
  request_id: string,
): Promise<DsarRow | undefined> {
  await nameSite(trx, id);
  return DsarRow.query(trx).findById([id, request_id]).forUpdate();
}

/** Adds a step of the data subject to the history, and seals it. */
export async function noteStep(
  trx: Knex.Transaction,
  row: DsarRow,
  action: string,
  note: string | null,
  patch: Partial<DsarRow> = {},
): Promise<void> {
  const history = withEntry(row.history, undefined, action, note ?? undefined);
  await takeStep(trx, row, { ...patch, history });
}

const HASH = /^[A-Za-z0-9_-]{43}$/;

/** The site that a link is about with which somebody wants no more of its mails; undefined when it is not valid. */
export async function stopSite(
  { db, mail }: Wiring,
  { token, hash, signature }: { token: string; hash: string; signature: string },
): Promise<EnvironmentRow | undefined> {
  if (!isEnvironmentToken(token) || !HASH.test(hash)) return undefined;
  const site = await siteBy(db, token);
  return site && (await isSigned(mail, 'stop', [site.id, hash], signature)) ? site : undefined;
}

/**
 * From now on the site sends nothing to the address, which is known by its keyed hash alone, but what the law demands to
 * be told.
 */
export async function stopMails({ db }: Wiring, { id }: EnvironmentRow, hash: string): Promise<void> {
  const address_key = Buffer.from(hash, 'base64url');
  await db('mail_refusals')
    .insert({ environment_id: id, address_key, refused_at: clock.date() })
    .onConflict(['environment_id', 'address_key'])
    .ignore();
  // What waits is not sent either.
  const waiting = (mails: Knex.QueryBuilder) =>
    void mails.where({ environment_id: id, address_key }).whereIn('kind', [...COURTESIES]);
  await withholdPending(db, waiting, UNWANTED);
}

const withholdPending = async (
  db: Knex,
  which: (mails: Knex.QueryBuilder) => void,
  error: string,
): Promise<void> =>
  void (await db('mails')
    .where({ state: 'pending', audience: 'visitor' })
    .where(which)
    .update({
      ...{ state: 'withheld', ended_at: clock.date(), content: null, address_key: null },
      ...{ lease: null, lease_until: null, error },
    }));

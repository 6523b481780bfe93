import type { Knex } from 'knex';
import { retried } from '../../db/retried';
import { modeOf } from '../../domain/notices';
import type { Mailing } from '../../mail/mailing';
import type { Apart } from './apart';
import { queueNoticeMail, sparedTopics } from './notice-mail';
import { isReached } from './reached';
import { type Choice, chosenBy, NO_CHOICE, wantedSince } from './settings';
import { countedToday, shareOf } from './share';
import { ACCOUNT, type NotedNotice, type NoticeSite, type SiteNotice, type Told } from './told';
import type { TellingTurns, Turn } from './turns';

/** One look at what is to be told. */
export interface Telling {
  mailing: Mailing;
  now: Date;
  apart: Apart;
  turns: TellingTurns;
}

/** Notes and mails what was not told before, member by member: each notice is noted in the transaction of its mail. */
export async function tellSites(
  telling: Telling,
  notices: readonly SiteNotice[],
  signal?: AbortSignal,
): Promise<number> {
  let told = 0;
  for (const turn of await telling.turns.inOrder(notices)) {
    if (signal?.aborted) break;
    if (!telling.turns.hasRoom(turn.maker)) continue;
    const { environment_id } = turn.notices[0] as SiteNotice;
    await telling.apart({ environment_id }, async () => {
      told += await tellSite(telling, turn);
    });
  }
  return told;
}

/** Notices of one site, or of one account. */
async function tellSite(
  { mailing, now, apart, turns }: Telling,
  { notices: ofSite, maker }: Turn,
): Promise<number> {
  const [{ environment_id, account_id }] = ofSite as [SiteNotice];
  const site = account_id === undefined ? await siteOf(mailing.db, environment_id) : ACCOUNT;
  if (site === undefined) return 0;
  const members = await membersOf(mailing, environment_id, account_id);
  const ids = members.map(({ user_id }) => user_id);
  const chosen = await chosenBy(mailing.db, ids);
  const known = await knownOf(mailing.db, environment_id, ofSite);
  const counted = await countedToday(mailing.db, environment_id, ids, now);
  let told = 0;
  for (const member of members) {
    if (!turns.hasRoom(maker)) break;
    const wantedOf = (one: Told, choice: Choice = NO_CHOICE): Wanted[] =>
      shareOf(one.user_id, members.length, wantedBy(one, choice, ofSite, known), counted, now);
    if (wantedOf(member, chosen.get(member.user_id)).length === 0) continue;
    turns.note(maker);
    await apart({ environment_id, user_id: member.user_id }, async () => {
      told += await tellMember(mailing, site, member, wantedOf, now);
    });
  }
  return told;
}

const siteOf = (db: Knex, id: string): Promise<NoticeSite | undefined> =>
  db('environments').where({ id, deleted_at: null }).first('id', 'token', 'name');

const membersOf = (mailing: Mailing, environment_id: string, account_id?: number): Promise<Told[]> =>
  account_id === undefined ? membersOfSite(mailing, environment_id) : ownerOf(mailing, account_id);

const ownerOf = (mailing: Mailing, id: number): Promise<Told[]> =>
  mailing
    .db('users AS u')
    .where({ 'u.id': id })
    .where(isReached(mailing))
    .select<Told[]>('u.id AS user_id', 'u.email', mailing.db.raw("'owner' AS role"));

const membersOfSite = (mailing: Mailing, environment_id: string): Promise<Told[]> =>
  mailing
    .db('members AS m')
    .join('users AS u', 'u.id', 'm.user_id')
    .where({ 'm.environment_id': environment_id })
    .where(isReached(mailing))
    .orderBy('m.user_id')
    .select<Told[]>('m.user_id', 'u.email', 'm.role', 'm.added_at');

interface Known {
  /** What was told already, as `user key`. */
  told: ReadonlySet<string>;
  /** When somebody was told of it first, by its key. */
  first: ReadonlyMap<string, Date>;
}

async function knownOf(db: Knex, environment_id: string, notices: readonly SiteNotice[]): Promise<Known> {
  const rows: { user_id: number; notice_key: string; created_at: Date }[] = await db('notices')
    .where({ environment_id })
    .whereIn(
      'notice_key',
      notices.map(({ key }) => key),
    )
    .orderBy('created_at', 'desc')
    .select('user_id', 'notice_key', 'created_at');
  return {
    told: new Set(rows.map(({ user_id, notice_key }) => `${user_id} ${notice_key}`)),
    first: new Map(rows.map(({ notice_key, created_at }) => [notice_key, created_at])),
  };
}

interface Wanted extends SiteNotice {
  mode: 'at_once' | 'daily';
}

function wantedBy(member: Told, chosen: Choice, notices: readonly SiteNotice[], known: Known): Wanted[] {
  const { user_id, role } = member;
  return notices.flatMap((notice) => {
    if (notice.member_id !== undefined && notice.member_id !== user_id) return [];
    const mode = modeOf(chosen.topics, notice.topic, role);
    if (mode === 'off' || known.told.has(`${user_id} ${notice.key}`)) return [];
    return isBefore(member, chosen, notice, known) ? [] : [{ ...notice, mode }];
  });
}

/** What happened before somebody was a member, or wanted to be told, is no news to them. */
function isBefore({ user_id, role, added_at }: Told, chosen: Choice, notice: SiteNotice, { first }: Known) {
  if (notice.joined === user_id) return true;
  const at = notice.at ?? first.get(notice.key);
  const wanted = wantedSince(chosen, notice.topic, role);
  return at !== undefined && [added_at, wanted].some((since) => since !== undefined && at < since);
}

/**
 * With the role of this moment, held until the mail is there: whoever lowers it then finds the mail, and withholds it. Not
 * FOR SHARE: a cluster locks the whole table for that twice, and two who do so wait for each other.
 */
async function memberNow(trx: Knex.Transaction, { id }: NoticeSite, member: Told): Promise<Told | undefined> {
  if (id === ACCOUNT.id) return member;
  const key = { environment_id: id, user_id: member.user_id };
  const present: Pick<Told, 'role' | 'added_at'> | undefined = await trx('members')
    .where(key)
    .forNoKeyUpdate()
    .first('role', 'added_at');
  return present && { ...member, ...present };
}

/** Resolves with how many were new: another process may have been faster. */
function tellMember(
  mailing: Mailing,
  site: NoticeSite,
  looked: Told,
  wantedOf: (member: Told, choice?: Choice) => Wanted[],
  now: Date,
): Promise<number> {
  const work = async (trx: Knex.Transaction): Promise<number> => {
    const member = await memberNow(trx, site, looked);
    if (member === undefined) return 0;
    // Chosen only now: the role, or what they want, may have changed since the look at all members.
    const wanted = wantedOf(member, (await chosenBy(trx, [member.user_id])).get(member.user_id));
    if (wanted.length === 0) return 0;
    const topics = wanted.flatMap(({ mode, topic }) => (mode === 'at_once' ? [topic] : []));
    const spared = await sparedTopics(mailing, trx, member, site.id, topics);
    const rows = wanted.map(({ key, topic, message, path, mode }) => ({
      ...{ environment_id: site.id, user_id: member.user_id, notice_key: key, topic, message },
      ...{ path: site.token === '' ? path : `/sites/${site.token}${path}`, created_at: now },
      mailed_at: mode === 'at_once' && !spared.has(topic) ? now : null,
    }));
    const noted: NotedNotice[] = await trx('notices')
      .insert(rows)
      .onConflict(['environment_id', 'user_id', 'notice_key'])
      .ignore()
      .returning(['topic', 'message', 'path', 'mailed_at']);
    const atOnce = noted.filter(({ mailed_at }) => mailed_at !== null);
    if (atOnce.length > 0) await queueNoticeMail(mailing, trx, member, site, atOnce);
    return noted.length;
  };
  return retried(() => mailing.db.transaction(work));
}

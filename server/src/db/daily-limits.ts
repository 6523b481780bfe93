import type { Knex } from 'knex';
import { clock } from '../domain/clock';
import { conflict, rateLimited } from '../domain/errors';
import { DAY_MS } from '../domain/time';
import type { HistoryEntry, Role } from '../domain/types';
import {
  BreachRow,
  BundleRow,
  DsarRow,
  type EnvironmentRow,
  FormConsentRow,
  InvitationRow,
  SettingsVersionRow,
  VendorListRow,
} from './models';

/** New settings versions, vendor lists, bundles and open invitations of a site in 24 hours, each. */
const PER_DAY = 200;
/** Breaches, and requests that members record, of a site in 24 hours, each: more than a register ever gets. */
const RECORDS_PER_DAY = 1_000;
/** Form consents that members record, as shops do whose own servers take the forms of all their visitors. */
const FORMS_PER_DAY = 20_000;

/** Who changes something: an owner who is logged in, or an operator or a program. */
export interface Changer {
  role: Role;
  caller: { key?: object };
}

/** Of the operator's commands. */
export const COMMAND: Changer = { role: 'owner', caller: {} };

/**
 * So many of a limit as a changer may use up. The last quarter is for owners who are logged in: otherwise a key or an
 * operator could use up the limit, and nobody could take back on that day what they have done.
 */
export const partOf = (most: number, changer: Changer): number =>
  isLoggedInOwner(changer) ? most : most * (3 / 4);

const isLoggedInOwner = ({ role, caller }: Changer): boolean => role === 'owner' && caller.key === undefined;

/** Throws 429 when the settings of a site have changed too often; its row is locked by the caller. */
export async function refuseManyVersions(
  trx: Knex,
  { id, settings_version }: Pick<EnvironmentRow, 'id' | 'settings_version'>,
  changer: Changer,
): Promise<void> {
  // Versions are numbered without a gap.
  const oldest = await SettingsVersionRow.query(trx)
    .findById([id, settings_version - partOf(PER_DAY, changer) + 1])
    .select('created_at');
  const most = `The settings of a site change at most ${PER_DAY} times in 24 hours`;
  refuseWithin(oldest, `${most}${rest(changer)}; send what changes together in one request`);
}

/** Throws 429 when a site's vendor list has been replaced too often; the site's row is locked by the caller. */
export async function refuseManyVendorLists(
  trx: Knex,
  environment_id: string,
  present: number,
  changer: Changer,
): Promise<void> {
  // Versions are numbered without a gap.
  const oldest = await VendorListRow.query(trx)
    .findById([environment_id, present - partOf(PER_DAY, changer) + 1])
    .select('created_at');
  refuseWithin(
    oldest,
    `The vendors of a site are replaced at most ${PER_DAY} times in 24 hours${rest(changer)}`,
  );
}

/** Throws 429 when a site has got too many new bundles; its row is locked by the caller. */
export async function refuseManyBundles(trx: Knex, environment_id: string, changer: Changer): Promise<void> {
  const oldest = await BundleRow.query(trx)
    .where({ environment_id })
    .orderBy('created_at', 'desc')
    .offset(partOf(PER_DAY, changer) - 1)
    .select('created_at')
    .first();
  refuseWithin(oldest, `A site gets at most ${PER_DAY} new bundles in 24 hours${rest(changer)}`);
}

/** Throws 429 when too many breaches of a site were recorded; a few more pass where several are at once. */
export async function refuseManyBreaches(trx: Knex, environment_id: string, changer: Changer): Promise<void> {
  const oldest = await BreachRow.query(trx)
    .where({ environment_id })
    .orderBy('created_at', 'desc')
    .offset(partOf(RECORDS_PER_DAY, changer) - 1)
    .select('created_at')
    .first();
  refuseWithin(oldest, `A site records at most ${RECORDS_PER_DAY} breaches in 24 hours${rest(changer)}`);
}

/** The same for the requests that members record; what visitors send has limits of its own. */
export async function refuseManyRecorded(trx: Knex, environment_id: string, changer: Changer): Promise<void> {
  const oldest = await DsarRow.query(trx)
    .where({ environment_id })
    .where('channel', '<>', 'online')
    .orderBy('created_at', 'desc')
    .offset(partOf(RECORDS_PER_DAY, changer) - 1)
    .select('created_at')
    .first();
  const most = `A site's members record at most ${RECORDS_PER_DAY} requests in 24 hours`;
  refuseWithin(oldest, `${most}${rest(changer)}`);
}

/** The same for form consents; what visitors send has limits of its own. */
export async function refuseManyForms(trx: Knex, environment_id: string): Promise<void> {
  const oldest = await FormConsentRow.query(trx)
    .where({ environment_id })
    // As the index has it.
    .whereRaw('by_owner')
    // Else each form of a site with many of old would read 20,000 of them.
    .where('recorded_at', '>', new Date(clock.now() - DAY_MS))
    .orderBy('recorded_at', 'desc')
    .offset(FORMS_PER_DAY - 1)
    .select('recorded_at')
    .first();
  const most = `A site's members record at most ${FORMS_PER_DAY} form consents in 24 hours`;
  refuseWithin(oldest && { created_at: oldest.recorded_at }, most);
}

/** Throws 429 when a site has got too many invitations that are still open. */
export async function refuseManyInvitations(trx: Knex, environment_id: string): Promise<void> {
  // Their ids are counted up.
  const oldest = await InvitationRow.query(trx)
    .where({ environment_id })
    .orderBy('user_id', 'desc')
    .offset(PER_DAY - 1)
    .select('added_at')
    .first();
  const most = `A site makes at most ${PER_DAY} invitations in 24 hours that nobody has accepted`;
  refuseWithin(oldest && { created_at: oldest.added_at }, most);
}

/** Throws 429 when a record has changed too often: its history is kept for good, and written with each change. */
export function refuseManyChanges(history: readonly HistoryEntry[], changer: Changer): void {
  const at = history.at(-partOf(PER_DAY, changer))?.at;
  refuseWithin(
    at === undefined ? undefined : { created_at: new Date(at) },
    `A record changes at most ${PER_DAY} times in 24 hours${rest(changer)}`,
  );
}

/**
 * Bytes of a history from which on nobody adds to it at will, because it is read and sealed with each step. Owners who are
 * logged in have room to take back what others did.
 */
const FULL = { owners: 262_144, others: 49_152 };

/** Throws 409 when a history is full; what must be done with the record can still be done. */
export function refuseFull(history: readonly HistoryEntry[], changer: Changer): void {
  const bytes = history.reduce((sum, { note }) => sum + Buffer.byteLength(note ?? '') + 100, 0);
  const isOwner = isLoggedInOwner(changer);
  if (bytes < (isOwner ? FULL.owners : FULL.others)) return;
  const whose = isOwner ? '' : ' for you: an owner who is logged in can go on';
  throw conflict(`The history of this record is full${whose}; make a new record, which may name this one.`);
}

/** Throws 429 when a list of saved views was replaced too often on a day: nobody can delete what the audit trail tells. */
export function refuseManyLists(changes: number): void {
  if (changes < PER_DAY) return;
  const seconds = Math.ceil((DAY_MS - (clock.now() % DAY_MS)) / 1000);
  throw rateLimited(
    seconds,
    `A list of views is saved at most ${PER_DAY} times in a day (UTC): try again in ${seconds} s.`,
  );
}

/** What a refusal tells those who may not use up the whole limit. */
const rest = (changer: Changer): string =>
  isLoggedInOwner(changer) ? '' : ', the last quarter of them by owners who are logged in';

function refuseWithin(oldest: { created_at: Date } | undefined, why: string): void {
  if (oldest === undefined) return;
  const seconds = Math.ceil((oldest.created_at.getTime() + DAY_MS - clock.now()) / 1000);
  if (seconds > 0) throw rateLimited(seconds, `${why}: try again in ${seconds} s.`);
}

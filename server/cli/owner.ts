import { parseArgs } from 'node:util';
import type { Knex } from 'knex';
import { type Config, readConfig } from '../src/config';
import { groupOf } from '../src/db/account-groups';
import { findAccount } from '../src/db/find-account';
import { EnvironmentRow, IdentityRow, MemberRow, type UserRow } from '../src/db/models';
import { isEmail } from '../src/domain/addresses';
import { clock } from '../src/domain/clock';
import { createLink, createUser, INDEPENDENT } from '../src/services/accounts';
import { auditCommand } from '../src/services/audit';
import { disableAccount } from '../src/services/disable-account';
import { endSessions } from '../src/services/end-sessions';
import { forgetFactors } from '../src/services/second-factors';
import { type Command, say, UsageError } from './command';
import { withMigratedDatabase } from './database';

const USAGE = `npm run owner -- add EMAIL [--name NAME]   makes an account, or an invited one independent
npm run owner -- reset EMAIL               lets an account choose a new password
npm run owner -- reset-second-factor EMAIL  lets an account in with its password alone, as when a device is lost
npm run owner -- disable EMAIL             lets an account in no more, and ends its tokens and links
npm run owner -- enable EMAIL              lets it in again, in the ways that it had
npm run owner -- end-sessions [--keep-keys] ends the tokens of all accounts, all open links and all API keys, as after
                                           a restore
The first two print a link that works once, for 7 days.`;

type Action = 'add' | 'reset' | 'reset-second-factor' | 'disable' | 'enable';

const ACTIONS: Record<Action, (config: Config, trx: Knex, email: string, name: string) => Promise<string>> = {
  add,
  reset,
  'reset-second-factor': resetSecondFactor,
  disable,
  enable,
};

/** `npm run owner`: accounts without the console: a new server, a lost password, somebody who must not come back. */
async function run(args: string[]): Promise<void> {
  const { positionals, values } = parseArgs({
    args,
    allowPositionals: true,
    options: { name: { type: 'string' }, 'keep-keys': { type: 'boolean', default: false } },
  });
  const [action = '', email = '', ...rest] = positionals;
  const act = Object.hasOwn(ACTIONS, action) ? ACTIONS[action as Action] : undefined;
  if (action === 'end-sessions') return endAll(positionals, values);
  if (values['keep-keys']) throw new UsageError('Only end-sessions takes --keep-keys.');
  if (act === undefined || rest.length > 0) {
    throw new UsageError(
      'Say whether to add, reset, disable or enable an account, to reset-second-factor, or to end-sessions.',
    );
  }
  if (!isEmail(email)) throw new UsageError(`"${email}" is not an e-mail address.`);
  if (action !== 'add' && values.name !== undefined) throw new UsageError('Only add takes a name.');
  if (values.name !== undefined && (values.name.trim() === '' || values.name.length > 200)) {
    throw new UsageError('A name has 1 to 200 characters.');
  }
  const config = readConfig();
  const text = await withMigratedDatabase(config, ({ db }) =>
    db.transaction(async (trx) => {
      const told = await act(config, trx, email, values.name ?? email);
      const { id: accountId } = await accountOf(trx, email);
      await auditCommand(trx, `owner ${action as Action}`, { accountId });
      return told;
    }),
  );
  say(text);
}

async function endAll(
  given: string[],
  { name, 'keep-keys': keepsKeys }: { name?: string | undefined; 'keep-keys': boolean },
): Promise<void> {
  if (given.length > 1 || name !== undefined) throw new UsageError('end-sessions is of all accounts.');
  const { accounts, links, keys } = await withMigratedDatabase(readConfig(), ({ db }) =>
    db.transaction(async (trx) => {
      await auditCommand(trx, 'owner end-sessions');
      return endSessions(trx, { keepsKeys });
    }),
  );
  say(
    `Accounts that must log in again: ${accounts}. Links that work no more: ${links}; npm run owner -- reset EMAIL, or an owner in the console, makes new ones. API keys that work no more: ${keys}${keepsKeys ? ', because you keep them' : '; their makers make new ones'}.`,
  );
}

async function add(config: Config, trx: Knex, email: string, name: string): Promise<string> {
  const present = await findAccount(trx, email);
  if (present !== undefined && groupOf(present) !== present.id) return makeIndependent(trx, present);
  if (present !== undefined) {
    throw new Error(`${email} has an account already: npm run owner -- reset ${email} gives a new link.`);
  }
  const { id } = await createUser(trx, { email, name, passwordHash: null, isVerified: true });
  const adopted = await adoptDemo(trx, id);
  const site = adopted === undefined ? '' : ` It owns the demo site ${adopted}.`;
  return `The account ${email} is made.${site}\n${await linkText(config, trx, id)}`;
}

/** From now on its limits are its own; accounts that its invitations made before stay where they are. */
async function makeIndependent(trx: Knex, user: UserRow): Promise<string> {
  // Whoever invited the address may have made it with a password of their own.
  if (user.email_verified_at === null)
    throw new Error(
      `${user.email} has an account that an invitation made, and nobody has shown that the address is theirs: npm run owner -- reset ${user.email} gives a link for a new password. Give it to the person, and add the account once they have used it.`,
    );
  await user.$query(trx).patch(INDEPENDENT);
  return `${user.email} has an account already, which an invitation made. It is independent now: its sites count by themselves, as do accounts that it invites from now on. Its password stays.`;
}

async function reset(config: Config, trx: Knex, email: string): Promise<string> {
  const user = await accountOf(trx, email);
  if (user.disabled_at !== null) {
    throw new Error(`${user.email} is disabled: npm run owner -- enable ${user.email} lets it in again.`);
  }
  const factors =
    user.email_verified_at === null
      ? ' Nobody has proved its address yet: with this link, second factors, passkeys, API keys and linked provider accounts that anybody may have added end. Give it to nobody but the person.'
      : user.second_factor_since === null
        ? ''
        : ` Its second factors stay: if somebody else may have added them, end them by npm run owner -- reset-second-factor ${user.email}`;
  const present =
    user.password_hash === null
      ? `${user.email} has no password; the link lets it choose one.`
      : `The present password of ${user.email} works until a new one is chosen.`;
  const refused = config.passwordLogin
    ? ''
    : ' Log-ins by a password are refused here (PASSWORD_LOGIN=off): the link lets it in once, and a provider after that.';
  return `${present}${refused}${factors}\n${await linkText(config, trx, user.id)}`;
}

/** Only who knows the person by other means may do this: whoever has the password is let in by it alone. */
async function resetSecondFactor(_: Config, trx: Knex, email: string): Promise<string> {
  const user = await accountOf(trx, email);
  if (user.second_factor_since === null) throw new Error(`${user.email} has no second factor.`);
  await forgetFactors(trx, user);
  const linked = await IdentityRow.query(trx).where({ user_id: user.id, made_by: 'link' }).resultSize();
  const others =
    linked === 0
      ? ''
      : ` It still logs in by what it linked itself at a provider (${linked}): if somebody else may have done that, npm run owner -- reset ${user.email} makes a link whose new password ends that.`;
  return `${user.email} logs in with its password alone now; its authenticator app, passkeys and recovery codes work no more, and its sessions have ended.${others}`;
}

async function disable(_: Config, trx: Knex, email: string): Promise<string> {
  const user = await accountOf(trx, email);
  const alone = await disableAccount(trx, user);
  const sites = alone === 1 ? '1 site has' : `${alone} sites have`;
  const rest =
    alone === 0
      ? ''
      : `\n${sites} no owner now who can log in: npm run owner -- enable ${user.email} ends that.`;
  return `${user.email} cannot log in any more; its tokens and the links that it made have ended.${rest}`;
}

async function enable(config: Config, trx: Knex, email: string): Promise<string> {
  const user = await accountOf(trx, email);
  await user.$query(trx).patch({ disabled_at: null });
  const ways = await waysOf(config, trx, user);
  const link = `npm run owner -- reset ${user.email}`;
  if (ways.length === 0)
    return `${user.email} is enabled, and has no way to log in: ${link} gives it a link.`;
  return `${user.email} can log in again with ${ways.join(' or ')}; ${link} gives it a link to log in with as well.`;
}

/** How an account can log in. */
async function waysOf({ passwordLogin }: Config, trx: Knex, user: UserRow): Promise<string[]> {
  const { id: user_id, password_hash } = user;
  const identity = await trx('identities').where({ user_id }).first('user_id');
  const passkey = await trx('passkeys').where({ user_id }).first('user_id');
  return [
    ...(passwordLogin && password_hash !== null ? ['its password'] : []),
    ...(passwordLogin && passkey !== undefined ? ['its passkey'] : []),
    ...(identity !== undefined ? ['its provider account'] : []),
  ];
}

async function accountOf(trx: Knex, email: string): Promise<UserRow> {
  const user = await findAccount(trx, email);
  if (user !== undefined) return user;
  throw new Error(`${email} has no account: npm run owner -- add ${email} makes one.`);
}

/** A demo site without an owner goes to the first owner that the operator adds. */
async function adoptDemo(trx: Knex, userId: number): Promise<string | undefined> {
  const demo = await EnvironmentRow.query(trx)
    .findOne({ demo: true, deleted_at: null })
    .whereNotExists(MemberRow.query(trx).whereColumn('members.environment_id', 'environments.id'));
  if (demo === undefined) return undefined;
  const member = { environment_id: demo.id, user_id: userId, role: 'owner' as const, added_at: clock.date() };
  await MemberRow.query(trx).insert(member);
  return demo.token;
}

async function linkText({ publicUrl, port }: Config, trx: Knex, userId: number): Promise<string> {
  const server = { publicUrl: () => publicUrl ?? `http://localhost:${port}` };
  const link = await createLink(server, trx, userId);
  return `Open this link within 7 days to choose a password; it works once, and ends older ones:\n${link}`;
}

export const owner: Command = { usage: USAGE, run };

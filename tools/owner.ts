import { parseArgs } from 'node:util';
import type { Knex } from 'knex';
import { createLink, createUser, emailKey } from '../server/src/api/accounts';
import { type Config, readConfig } from '../server/src/config';
import { EnvironmentRow, MemberRow, UserRow } from '../server/src/db/models';
import { isEmail } from '../server/src/domain/email';
import { runCommand, say, UsageError } from './operator/command';
import { withMigratedDatabase } from './operator/database';

const USAGE = `npm run owner -- add EMAIL [--name NAME]   makes an account
npm run owner -- reset EMAIL               lets an account choose a new password
Both print a link that works once, for 7 days.`;

/** `npm run owner`: accounts without the console, for a new server or a lost password. */
async function main(): Promise<void> {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { name: { type: 'string' } },
  });
  const [action, email = '', ...rest] = positionals;
  if ((action !== 'add' && action !== 'reset') || rest.length > 0) {
    throw new UsageError('Say whether to add or to reset an account.');
  }
  if (!isEmail(email)) throw new UsageError(`"${email}" is not an e-mail address.`);
  if (action === 'reset' && values.name !== undefined) throw new UsageError('A reset changes no name.');
  if (values.name !== undefined && (values.name.trim() === '' || values.name.length > 200)) {
    throw new UsageError('A name has 1 to 200 characters.');
  }
  const config = readConfig();
  const text = await withMigratedDatabase(config, ({ db }) =>
    db.transaction((trx) =>
      action === 'add' ? add(config, trx, email, values.name ?? email) : reset(config, trx, email),
    ),
  );
  say(text);
}

async function add(config: Config, trx: Knex, email: string, name: string): Promise<string> {
  if ((await find(trx, email)) !== undefined) {
    throw new Error(`${email} has an account already: npm run owner -- reset ${email} gives a new link.`);
  }
  const { id } = await createUser(trx, { email, name, passwordHash: null });
  const adopted = await adoptDemo(trx, id);
  const site = adopted === undefined ? '' : ` It owns the demo site ${adopted}.`;
  return `The account ${email} is made.${site}\n${await linkText(config, trx, id)}`;
}

async function reset(config: Config, trx: Knex, email: string): Promise<string> {
  const user = await find(trx, email);
  if (user === undefined) {
    throw new Error(`${email} has no account: npm run owner -- add ${email} makes one.`);
  }
  return `The present password of ${user.email} works until a new one is chosen.\n${await linkText(config, trx, user.id)}`;
}

const find = async (trx: Knex, email: string): Promise<UserRow | undefined> =>
  UserRow.query(trx).findOne({ email_key: emailKey(email) });

/** Nobody's demo site goes to whom the operator makes an owner. */
async function adoptDemo(trx: Knex, userId: number): Promise<string | undefined> {
  const demo = await EnvironmentRow.query(trx)
    .findOne({ demo: true })
    .whereNotExists(MemberRow.query(trx).whereColumn('members.environment_id', 'environments.id'));
  if (demo === undefined) return undefined;
  const member = { environment_id: demo.id, user_id: userId, role: 'owner' as const, added_at: new Date() };
  await MemberRow.query(trx).insert(member);
  return demo.token;
}

async function linkText({ publicUrl, port }: Config, trx: Knex, userId: number): Promise<string> {
  const server = { publicUrl: () => publicUrl ?? `http://localhost:${port}` };
  const link = await createLink(server, trx, { userId, madeBy: null });
  return `Open this link within 7 days to choose a password; it works once, and ends older ones:\n${link}`;
}

runCommand(USAGE, main);

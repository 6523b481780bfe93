import { once } from 'node:events';
import { parseArgs } from 'node:util';
import type { Knex } from 'knex';
import { readConfig } from '../src/config';
import { NO_SITE } from '../src/db/audit-events';
import { findAccount } from '../src/db/find-account';
import { AuditEventRow, EnvironmentRow } from '../src/db/models';
import { isEmail } from '../src/domain/addresses';
import { isEnvironmentToken } from '../src/domain/ids';
import { type AuditNote, auditCommand } from '../src/services/audit';
import { type Command, UsageError } from './command';
import { withMigratedDatabase } from './database';

const USAGE = `npm run audit --silent -- [--site TOKEN | --account EMAIL] > FILE
Writes audit events as NDJSON, oldest first: all of them, those of one site (also of one that was deleted), or those of
one account. It is in the trail itself.`;

/** Rows read by one query. */
const BATCH = 1_000;

/** Whose events are asked for: a filter of rows, and the trail that the export itself is noted in. */
interface Asked {
  where: Partial<Pick<AuditEventRow, 'environment_id' | 'account_id'>>;
  note: AuditNote;
}

/** `npm run audit`: what nobody can read in the console: commands for all accounts, and sites that are deleted. */
async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: { site: { type: 'string' }, account: { type: 'string' } } });
  const { site, account } = values;
  if (site !== undefined && account !== undefined) throw new UsageError('Name a site or an account.');
  if (site !== undefined && !isEnvironmentToken(site))
    throw new UsageError(`"${site}" is no token of a site.`);
  if (account !== undefined && !isEmail(account))
    throw new UsageError(`"${account}" is not an e-mail address.`);
  await withMigratedDatabase(readConfig(), async ({ db }) => {
    const { where, note } = await ask(db, site, account);
    // Before the first byte: of what nobody recorded, nothing is written.
    await auditCommand(db, 'audit', note, 'export');
    for await (const text of lines(db, where))
      if (!process.stdout.write(text)) await once(process.stdout, 'drain');
  });
}

async function ask(db: Knex, site: string | undefined, account: string | undefined): Promise<Asked> {
  if (site !== undefined) {
    const environment_id = await siteOf(db, site);
    const about = { resource: 'site' as const, resource_id: site };
    return { where: { environment_id }, note: { environmentId: environment_id, about } };
  }
  if (account === undefined) return { where: {}, note: {} };
  const user = await findAccount(db, account);
  if (user === undefined) throw new Error(`${account} has no account.`);
  return { where: { environment_id: NO_SITE, account_id: user.id }, note: { accountId: user.id } };
}

/** Of a deleted site only its trail is left. */
async function siteOf(db: Knex, token: string): Promise<string> {
  const row =
    (await EnvironmentRow.query(db).findOne({ token }).select('id AS environment_id')) ??
    (await AuditEventRow.query(db)
      .findOne({ resource: 'site', resource_id: token })
      .whereNot({ environment_id: NO_SITE }));
  const found = row as { environment_id: string } | undefined;
  if (found === undefined) throw new Error(`There is no site ${token}, and no audit event of it.`);
  return found.environment_id;
}

async function* lines(db: Knex, where: Asked['where']): AsyncGenerator<string> {
  for (let last: AuditEventRow | undefined; ; ) {
    const query = AuditEventRow.query(db).where(where).orderBy(['occurred_at', 'audit_id']).limit(BATCH);
    if (last !== undefined)
      query
        .where('occurred_at', '>=', last.occurred_at)
        .whereRaw('(occurred_at, audit_id) > (?, ?)', [last.occurred_at, last.audit_id]);
    const rows = await query;
    for (const row of rows) yield `${JSON.stringify(row)}\n`;
    if (rows.length < BATCH) return;
    last = rows.at(-1);
  }
}

export const auditExport: Command = { usage: USAGE, run };

import { parseArgs } from 'node:util';
import type { Knex } from 'knex';
import { loadProgram } from '../src/bundles/load-program';
import { readConfig } from '../src/config';
import { EnvironmentRow } from '../src/db/models';
import { ensurePartitions } from '../src/db/partitions';
import { clock } from '../src/domain/clock';
import { inOneLine } from '../src/domain/printable';
import { DAY_MS } from '../src/domain/time';
import { auditCommand } from '../src/services/audit';
import { type Command, say, UsageError } from './command';
import { openLedger, withMigratedDatabase } from './database';
import { history } from './seed/history';
import { makeSite, readVersions } from './seed/site';
import { write } from './seed/write';

const USAGE = `npm run seed -- --events N [--days 365] [--site TOKEN]
Writes N visitor events (banners shown, interactions, decisions) of the last days: to a new site, or to the one with TOKEN.`;
const MAX = { events: 100_000_000, days: 1825 };

/** `npm run seed`: a believable site with history, to try the dashboards or to measure with. */
async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: { events: { type: 'string' }, days: { type: 'string' }, site: { type: 'string' } },
  });
  const events = number('--events', values.events, MAX.events);
  const days = number('--days', values.days ?? '365', MAX.days);
  const config = readConfig();
  const server = config.publicUrl ?? `http://localhost:${config.port}`;
  const maker = { program: loadProgram(), server };
  await withMigratedDatabase(config, async ({ db }) => {
    await openLedger(db, config);
    const startedAt = clock.now();
    const from = startedAt - days * DAY_MS;
    await ensurePartitions(db, new Date(from), new Date(startedAt));
    const site = await db.transaction(async (trx) => {
      const found =
        values.site === undefined
          ? await makeSite(trx, maker, from, startedAt)
          : await findSite(trx, values.site, days);
      const about = { resource: 'site' as const, resource_id: found.token };
      await auditCommand(trx, 'seed', { environmentId: found.id, about });
      return found;
    });
    const versions = await readVersions(db, site);
    const written = await write(db, history(versions, events, days, startedAt));
    // Now, because until autovacuum runs the planner assumes empty tables.
    await db.raw('ANALYZE consents, session_choices, daily_counts, hourly_counts');
    const seconds = ((clock.now() - startedAt) / 1000).toFixed(1);
    say(`${events} events over ${days} days, written in ${seconds} s:`);
    say(report(written));
    say(`Site ${inOneLine(site.name)}, settings versions: ${versions.length}, token: ${site.token}`);
  });
}

function number(name: string, text: string | undefined, most: number): number {
  const value = Number(text);
  if (!/^\d+$/.test(text ?? '') || value < 1 || value > most) {
    throw new UsageError(`${name} takes a whole number from 1 to ${most}.`);
  }
  return value;
}

async function findSite(trx: Knex, token: string, days: number): Promise<EnvironmentRow> {
  const row = await EnvironmentRow.query(trx).findOne({ token });
  if (row === undefined) throw new Error(`There is no site with the token ${token}: check it.`);
  const kept = row.settings.retention_days.consents;
  if (days > kept) {
    throw new Error(`The site keeps consents for ${kept} days only: give --days ${kept} or less.`);
  }
  return row;
}

function report(written: Map<string, number>): string {
  const n = (kind: string): number => written.get(kind) ?? 0;
  const decisions = n('accept_all') + n('reject_all') + n('save_preferences');
  return [
    `  ${n('impression')} impressions, ${n('interaction')} interactions, ${decisions} decisions`,
    `  (${n('accept_all')} accept_all, ${n('reject_all')} reject_all, ${n('save_preferences')} save_preferences;`,
    `  ${n('changed')} of them by visitors who came back and changed their mind)`,
  ].join('\n');
}

export const seed: Command = { usage: USAGE, run };

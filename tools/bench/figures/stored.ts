import type { Figure } from '../figure';
import { consents } from '../kinds';
import { type Contestant, race, ratio } from '../race';
import { avow } from '../references';
import type { Host } from '../stage';

/** Whether writes slow down with the number of stored decisions. */
export const stored: Figure = {
  name: 'stored',
  async run({ stage, report, pace, quick }) {
    const rows = quick ? 100_000 : 10_000_000;
    const full = await stage.host('avow_full');
    report.say(`  storing ${rows} decisions …`);
    await fill(full, rows);
    const empty = await stage.host('avow_empty');
    const names = { full: `Avow consent write, ${rows} stored`, empty: 'Avow consent write, none stored' };
    const contestants: Contestant[] = [
      avow(stage, full, names.full, consents),
      {
        name: names.empty,
        run: async (connections, seconds) => {
          await makeEmpty(empty);
          return stage.ask(empty, consents, connections, { seconds });
        },
      },
    ];
    const laps = await race(contestants, 64, pace.goal);
    report.laps(laps, 64);
    const about = `writes with ${rows.toLocaleString('en')} decisions stored ÷ with none`;
    report.outcome('stored', about, ratio(laps, names.full, names.empty), { least: 0.95 });
    await full.ledger.check();
    await empty.ledger.check();
    await full.avow.stop();
    await empty.avow.stop();
  },
};

const CHOICES = `'{"functional":true,"analytics":true,"marketing":false}'::jsonb`;

/** Stores decisions of the past month in chronological order, and their counts. */
async function fill({ database, ledger }: Host, rows: number): Promise<void> {
  await database.sql(
    `CREATE UNLOGGED TABLE filling AS
     SELECT site.id AS environment_id, gen_random_uuid() AS consent_id, gen_random_uuid() AS session_id,
       now() - (($1::int - n) * interval '1 day' * 30 / $1::int) AS recorded_at
     FROM (SELECT id FROM environments ORDER BY created_at LIMIT 1) AS site, generate_series(1, $1::int) AS n`,
    [rows],
  );
  await database.sql(
    `INSERT INTO consents (environment_id, recorded_at, consent_id, session_id, decision, categories, policy_version,
       banner_version, method, language, page_url, ip_masked, user_agent, gpc, expires_at)
     SELECT environment_id, recorded_at, consent_id, session_id, 'save_preferences', ${CHOICES}, '1', 1, 'banner', 'en',
       'https://shop.example.com/products/42', '127.0.***.***', 'Mozilla/5.0 (X11; Linux x86_64) Chrome/141.0.0.0', false,
       recorded_at + interval '180 days' FROM filling`,
  );
  await database.sql(
    `INSERT INTO session_choices (environment_id, session_id, consent_id, decision, categories, policy_version, recorded_at, expires_at)
     SELECT environment_id, session_id, consent_id, 'save_preferences', ${CHOICES}, '1', recorded_at,
       recorded_at + interval '180 days' FROM filling`,
  );
  await database.sql(
    `INSERT INTO daily_counts (environment_id, day, metric, key, language, banner_version, device, slot, n)
     SELECT environment_id, recorded_at::date, 'decision', 'save_preferences', 'en', 1, 'desktop', 16, count(*) FROM filling GROUP BY 1, 2`,
  );
  await database.sql(
    `INSERT INTO hourly_counts (environment_id, hour, metric, key, slot, n)
     SELECT environment_id, date_trunc('hour', recorded_at), 'decision', 'save_preferences', 16, count(*) FROM filling GROUP BY 1, 2`,
  );
  await database.sql('DROP TABLE filling');
  await database.sql('VACUUM ANALYZE');
  ledger.add({ decisions: 1 }, rows);
}

async function makeEmpty({ database, ledger }: Host): Promise<void> {
  await ledger.check();
  await database.sql('TRUNCATE consents, session_choices, daily_counts, hourly_counts');
  ledger.clear();
}

import type { Knex } from 'knex';
import type { Config } from '../../src/config';
import { groupKeyOf } from '../../src/db/ledger/group-key';
import { auditSite } from '../../src/ledger/audit';
import { DAMAGES, type Damage, type Findings } from '../../src/ledger/audit/findings';
import { say } from '../command';
import { openLedger, withDatabase } from '../database';
import { readHeads } from '../kept-heads';

/** What is audited: one site or all, and files with checkpoints that somebody kept. */
export interface LedgerAudit {
  site?: string | undefined;
  checkpoint?: string[] | undefined;
}

/** Findings of one kind that are printed. */
const NAMED = 20;
/** How often progress is shown, in milliseconds. */
const SHOWN = 500;

/** What each kind of damage means, and what to do. */
const WORDS: Record<Damage, [means: string, advice: string]> = {
  forked: [
    'the log is another one than others have signed or hold',
    'somebody with the keys wrote another history, or a wrong database was restored. Stop the server, keep a copy, find the database that fits the checkpoint',
  ],
  rolled_back: [
    'the log is shorter than one that was handed out',
    'an older backup was restored, or leaves were cut off. Restore the newest backup; what was sealed after it cannot be proven by this log',
  ],
  altered: [
    'records are not what was sealed',
    'somebody changed rows. Keep a copy of the database, look up these ids in the newest backup that this audit finds nothing in, and put those rows back',
  ],
  deleted: [
    'records are gone and no erasure explains it',
    'somebody deleted rows. Keep a copy, and look for them in the backups at these times',
  ],
  inserted: [
    'records were never sealed',
    'somebody added rows, or restored them beside the server. They prove nothing; find out who wrote them',
  ],
  backdated: [
    'records were dated earlier than they were sealed',
    'somebody with the keys added them, or a clock was set back: compare with the time of the clock in the logs',
  ],
  twice: [
    'one record was sealed more than once',
    'somebody wrote to the database what was sealed before. The record itself is good; do not count it twice',
  ],
  returned: [
    'erased records are there again',
    'they came back with a backup. Erase them again, as guide Backup says under After a restore',
  ],
  erasure: [
    'what erasures say does not fit what they sealed',
    'somebody changed erasures or ledger_erased to explain away what is missing. Restore both from a backup',
  ],
  group: [
    'what waits to be sealed was written or changed by somebody else',
    'nothing of it is sealed. Keep a copy of ledger_pending, and look up its time in the logs. If SECRETS_KEY was replaced: npm run reseal -- --lost',
  ],
  tree: [
    'the stored tree does not fit its leaves',
    'proofs of these records fail. Restore the ledger_ tables from a backup of the same time as the records',
  ],
  head: [
    'the head of the log is not the one that was signed',
    'proofs lead nowhere. Restore ledger_heads from the newest backup; do not sign anew',
  ],
  key: [
    'the keys do not form a chain',
    'restore ledger_keys and ledger_successions from a backup. If you do not know why a key is there, take SECRETS_KEY for known to others',
  ],
  vouched: [
    'what others signed is damaged or gone here',
    'the records are not touched by it. Ask the witness or authority for its copy, or take it from a pack that was handed out',
  ],
  unsigned: [
    'no key of this log has signed a checkpoint that you gave',
    'it is no checkpoint of this log, and says nothing of it: ask for it again where you got it. If you are sure that this log once handed it out, the log was begun anew, or ledger_keys changed: restore the newest backup',
  ],
};

/**
 * `npm run doctor -- --ledger`: compares every record with the evidence log of its site; exit code 1 when something
 * does not fit.
 */
export async function auditLedger(config: Config, { site, checkpoint = [] }: LedgerAudit): Promise<void> {
  const outside = (await Promise.all(checkpoint.map(readHeads))).flat();
  await withDatabase(config, async ({ db }) => {
    const vault = await openLedger(db, config);
    const named = site === undefined ? outside.map(({ origin }) => origin.split('/').at(-1) ?? '') : [site];
    const sites = await sitesOf(db, [...new Set(named)]);
    // A head of another log says nothing of these, though the same keys sign it.
    const others = outside.filter(({ origin }) => !sites.some((one) => isOf(origin, one)));
    for (const { origin, size } of others)
      say(
        `The checkpoint of ${size} leaves that you gave is of another log, ${origin}: it was compared with nothing.`,
      );
    let [damaged, strange, failed] = [0, others.length, 0];
    for (const one of sites) {
      const about = outside.filter(({ origin }) => isOf(origin, one));
      const work = { groupKey: groupKeyOf(db), vault, outside: about, progress: progressOf(one.token) };
      const findings = await inSnapshot(db, (trx) => auditSite(trx, one, work)).catch((error) => {
        // One log that cannot be read does not keep the others from being compared.
        work.progress.end();
        say(`\n${one.token}: could not be compared: ${String(error?.message || error)}`);
      });
      if (findings === undefined) {
        failed += 1;
        continue;
      }
      work.progress.end();
      report(one.token, findings, work.progress.read);
      const unsigned = findings.count('unsigned');
      strange += unsigned;
      if (findings.total > unsigned) damaged += 1;
    }
    if (failed > 0)
      say(
        `\n${failed} of ${sites.length} evidence logs could not be compared: the reasons are above. Try them again with --site.`,
      );
    if (damaged + strange + failed === 0)
      return say(`\nThe evidence logs of ${sites.length} sites fit their records.`);
    process.exitCode = 1;
    if (damaged + strange === 0 || (damaged === 0 && failed === sites.length)) return;
    if (damaged === 0)
      return say(
        `\nThe evidence logs of ${sites.length - failed} sites fit their records; ${strange} checkpoints that you gave are of none of them.`,
      );
    say(
      `\n${damaged} of ${sites.length} evidence logs are damaged. Change nothing yet: copy the database first (npm run doctor only reads), then follow "The evidence log is damaged" in the guide Monitoring.`,
    );
  });
}

const isOf = (origin: string, { token }: { token: string }): boolean => origin.endsWith(`/ledger/${token}`);

/** One view of the database, however long it takes. */
const inSnapshot = <Result>(db: Knex, work: (trx: Knex) => Promise<Result>): Promise<Result> =>
  db.transaction(
    async (trx) => {
      await trx.raw('SET LOCAL idle_in_transaction_session_timeout = 0');
      return work(trx);
    },
    { isolationLevel: 'repeatable read', readOnly: true },
  );

/** @param tokens none: all sites */
async function sitesOf(db: Knex, tokens: readonly string[]): Promise<{ id: string; token: string }[]> {
  const sites = db('environments').whereNull('deleted_at').orderBy('id').select('id', 'token');
  const found: { id: string; token: string }[] = await (tokens.length === 0
    ? sites
    : sites.whereIn('token', tokens));
  for (const token of tokens)
    if (!found.some((one) => one.token === token))
      throw new Error(`There is no site ${token}: take the token from its page in the console.`);
  return found;
}

/** Shows on a terminal how far it is. */
function progressOf(token: string): { (rows: number): void; read: number; end(): void } {
  let shown = 0;
  const isShown = process.stderr.isTTY === true;
  const progress = Object.assign(
    (rows: number): void => {
      progress.read += rows;
      const now = performance.now();
      if (!isShown || now < shown + SHOWN) return;
      shown = now;
      process.stderr.write(`\r${token}: ${progress.read.toLocaleString('en')} rows compared `);
    },
    { read: 0, end: () => void (isShown && process.stderr.write('\r\u001b[K')) },
  );
  return progress;
}

function report(token: string, findings: Findings, rows: number): void {
  if (findings.total === 0) say(`✓ ${token}: ${rows.toLocaleString('en')} rows and leaves fit`);
  for (const damage of DAMAGES) {
    const count = findings.count(damage);
    if (count === 0) continue;
    const [means, advice] = WORDS[damage];
    say(`✗ ${token}: ${means} (${damage}, ${count}): ${advice}`);
    for (const text of findings.of(damage).slice(0, NAMED)) say(`    ${text}`);
    if (count > NAMED) say(`    and ${count - NAMED} more`);
  }
  for (const note of findings.notes) say(`! ${token}: ${note}`);
}

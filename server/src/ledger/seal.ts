import type { Knex } from 'knex';
import { keepFound } from '../db/ledger/audits';
import { groupKeyOf } from '../db/ledger/group-key';
import { clock } from '../domain/clock';
import { HOUR_MS } from '../domain/time';
import { logFailure, tellOnce } from '../observability/failures';
import type { Logger } from '../observability/logger';
import type { Vault } from '../security/vault';
import { ChangedLogError } from './genuine-head';
import { Importer } from './import';
import { currentKey, forgetKeys } from './keys';
import type { LoggedSite } from './log';
import { type SealedPart, type SealOptions, sealSome } from './seal-site';

export interface SealerOptions {
  db: Knex;
  log: Logger;
  vault: Vault;
  /** Where the server is reached, which names the logs that begin. */
  publicUrl(): string;
  /** Called after each transaction. */
  onSealed?(part: SealedPart): void;
}

/** How long a key that was retired may still be in use by a transaction, in milliseconds. */
const FORGET_AFTER = HOUR_MS;

/** Seals what waits, site by site, and what was recorded before there was a log. */
export class Sealer {
  private readonly importer = new Importer();
  /** How many leaves a log had when this process sealed it last. */
  private readonly sizes = new Map<string, number>();

  constructor(private readonly options: SealerOptions) {}

  /** A site that fails does not stop the others, and the run has failed all the same. */
  async run(signal?: AbortSignal): Promise<void> {
    const { db, vault, publicUrl } = this.options;
    const key = await currentKey(db, vault);
    const sealedSince = await this.importer.sealedSince(db);
    const options = { vault, sealedSince, groupKey: groupKeyOf(db), publicUrl: publicUrl() };
    const failures: unknown[] = [];
    const fail = (site: LoggedSite, error: unknown): void => {
      if (error instanceof ChangedLogError) tellChanged(this.options.log, site, error);
      else tellFailed(this.options.log, site, error);
      failures.push(error);
    };
    for (const site of await sitesToSeal(db, key.id)) {
      if (signal?.aborted) return;
      await this.seal(site, options, signal).catch((error: unknown) => fail(site, error));
    }
    await this.importer.run(db, options, { signal, fail }).catch((error) => void failures.push(error));
    if (failures.length > 0) throw failures[0];
    await forgetKeys(db, new Date(clock.now() - FORGET_AFTER));
  }

  private async seal(site: LoggedSite, options: SealOptions, signal: AbortSignal | undefined): Promise<void> {
    const { db, log, onSealed } = this.options;
    for (let isDone = false; !isDone && !signal?.aborted; ) {
      const part = await sealSome(db, site, options);
      if (part.size < (this.sizes.get(site.id) ?? 0)) tellShorter(log, site);
      this.sizes.set(site.id, part.size + part.leaves);
      onSealed?.(part);
      if (part.forged.length > 0) {
        tellForged(log, site, part.forged);
        const problem = `group: ledger_pending: group ${part.forged[0]} has a code that no server made`;
        await keepFound(db, site.id, problem, clock.date());
      }
      isDone = part.isDone;
    }
  }
}

/** Sites with something to seal, and those whose head an earlier key has signed. */
async function sitesToSeal(db: Knex, keyId: string): Promise<LoggedSite[]> {
  const waiting: string[] = await db('ledger_pending').distinct('environment_id').pluck('environment_id');
  const older: string[] = await db('ledger_heads').whereNot({ key_id: keyId }).pluck('environment_id');
  return db('environments')
    .whereIn('id', [...new Set([...waiting, ...older])])
    .whereNull('deleted_at')
    .select('id', 'token', 'created_at');
}

function tellChanged(log: Logger, { id }: LoggedSite, { message }: ChangedLogError): void {
  const about = { environment_id: id };
  tellOnce(log, { level: 'error', key: `changed ${id}`, fields: about, message, words: message, about });
}

function tellFailed(log: Logger, { id }: LoggedSite, error: unknown): void {
  const words = 'the log of a site could not be sealed; it is tried again';
  logFailure(log, 'error', { error, environment_id: id }, words);
}

function tellShorter(log: Logger, { id }: LoggedSite): void {
  const words =
    'the log of a site is shorter than when this process sealed it: the database was put back to an earlier state, or somebody wrote to it. Compare with a pack of before: npm run doctor -- --ledger --checkpoint FILE';
  const about = { environment_id: id };
  tellOnce(log, { level: 'error', key: `shorter ${id}`, fields: about, message: words, words, about });
}

function tellForged(log: Logger, { id }: LoggedSite, groups: readonly string[]): void {
  const words =
    'what waits to be sealed has a code that this server did not make, and is not sealed: somebody wrote to the database, or its secret was lost';
  const fields = { environment_id: id, groups: groups.length, first: groups[0] };
  const about = { environment_id: id };
  tellOnce(log, { level: 'error', key: `forged ${id}`, fields, message: words, words, about });
}

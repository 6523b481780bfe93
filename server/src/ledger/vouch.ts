import type { Knex } from 'knex';
import type { Config } from '../config';
import { isUnavailable } from '../db/errors';
import {
  countUnvouched,
  type DueLog,
  dueLogs,
  keepFailure,
  keepOutage,
  keepVouched,
  nextTurn,
} from '../db/ledger/vouchers';
import { unvouchedBefore } from '../domain/ledger/vouching-warnings';
import { HOUR_MS, MINUTE_MS } from '../domain/time';
import { deadline } from '../net/abortable';
import { tellOnce } from '../observability/failures';
import type { Logger } from '../observability/logger';
import type { VouchingMetrics } from '../observability/vouching-metrics';
import { askBy, createVouchingTransport } from './ask';
import { authorityOf } from './authority';
import { NotVouched, type Voucher, type Vouching } from './voucher';
import { witnessOf } from './witness';

/** Logs that are read at once, and that one voucher is asked about at once. */
const MANY = 500;
const AT_ONCE = 3;
/** After so many failures of the network in a row a voucher is left alone until its next turn. */
const OUTAGE = 4;
/** A run ends after so long, in milliseconds: the next one goes on with the logs that are left. */
const LONGEST_RUN = MINUTE_MS;
/** The first wait after a failure, which doubles, and the longest, in milliseconds. */
const FIRST_WAIT = MINUTE_MS;
const LONGEST_WAIT = 6 * HOUR_MS;

/** What the job needs. */
export interface VouchingWork {
  db: Knex;
  log: Logger;
  vouchers: readonly Voucher[];
  metrics: VouchingMetrics;
  /** Milliseconds for one request, 15 s unless a test says otherwise, and for a run. */
  totalMs?: number;
  runMs?: number;
}

/** Everybody who is configured to vouch for evidence logs. */
export const vouchersOf = ({
  witnesses,
  witnessMinutes,
  timestampUrls,
  timestampHours,
}: Pick<Config, 'witnesses' | 'witnessMinutes' | 'timestampUrls' | 'timestampHours'>): Voucher[] => [
  ...witnesses.map((witness) => witnessOf(witness, witnessMinutes * MINUTE_MS)),
  ...timestampUrls.map((authority) => authorityOf(authority, timestampHours * HOUR_MS)),
];

/**
 * Asks each witness and authority about the logs that have grown. They work side by side, so that a slow one does not
 * delay the others: a run that it has not answered in is over after a minute, for the others' next turn.
 */
export async function vouchAll(work: VouchingWork, now: Date, stopping: AbortSignal): Promise<void> {
  const { db, vouchers, metrics } = work;
  const transport = createVouchingTransport(work.totalMs);
  const { signal, release } = deadline(work.runMs ?? LONGEST_RUN, stopping);
  try {
    const vouching: Vouching = { db, ask: askBy(transport), signal, now, offered: new Map() };
    const results = await Promise.allSettled(
      vouchers.map((voucher) => askAbout(work, voucher, vouching, now)),
    );
    const ids = vouchers.map(({ id }) => id);
    metrics.unvouched(await countUnvouched(db, ids, unvouchedBefore(now)));
    const failed = results.find((result) => result.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
  } finally {
    release();
    transport.close();
  }
}

/** What one voucher is asked about in one run. */
async function askAbout(work: VouchingWork, voucher: Voucher, vouching: Vouching, now: Date): Promise<void> {
  const turn: Turn['turn'] = { outages: 0, failed: [], isCut: false };
  const isOver = (): boolean => vouching.signal.aborted || turn.isCut || turn.outages >= OUTAGE;
  for (let after: string | null = null; !isOver(); ) {
    const due = await dueLogs(work.db, voucher.id, now, { after, limit: MANY });
    after = due.at(-1)?.environment_id ?? null;
    const isLast = due.length < MANY;
    const lane = async (): Promise<void> => {
      for (let next = due.shift(); next !== undefined && !isOver(); next = due.shift())
        await askOnce(work, voucher, { vouching, log: next, now, turn });
    };
    await Promise.all(Array.from({ length: AT_ONCE }, lane));
    if (isLast) break;
  }
  if (turn.outages >= OUTAGE && !vouching.signal.aborted)
    await keepOutage(work.db, voucher.id, now, new Date(now.getTime() + FIRST_WAIT));
  if (turn.failed.length > 0) throw turn.failed[0];
}

interface Turn {
  vouching: Vouching;
  log: DueLog;
  now: Date;
  turn: {
    /** Failures of the network in a row. */
    outages: number;
    /** What went wrong here, and whether it would for the other logs too. */
    failed: unknown[];
    isCut: boolean;
  };
}

async function askOnce(
  work: VouchingWork,
  voucher: Voucher,
  { vouching, log, now, turn }: Turn,
): Promise<void> {
  const { db, metrics } = work;
  const { environment_id, failures, vouched } = log;
  try {
    const found = await voucher.vouch(vouching, environment_id, vouched);
    const next_at = await nextTurn(db, environment_id, {
      now,
      every: voucher.every,
      beside: besides(work, voucher),
    });
    await keepVouched(db, { environment_id, voucher: voucher.id, ...found, at: now, next_at });
    metrics.vouched(voucher.kind, 'vouched');
    turn.outages = 0;
  } catch (error) {
    if (!(error instanceof NotVouched)) {
      await noteOwn(work, voucher, { vouching, log, now, turn }, error);
      return;
    }
    // It was not the voucher that failed, but the process that stops, or the run that is over.
    if (vouching.signal.aborted) return;
    turn.outages = error.problem === 'unreachable' ? turn.outages + 1 : 0;
    metrics.vouched(voucher.kind, error.isRollBack ? 'rolled_back' : 'failed');
    tell(work.log, voucher, environment_id, error);
    await keepFailure(db, log, {
      ...{ voucher: voucher.id, problem: error.problem, now },
      next_at: nextTry(now, failures),
    });
  }
}

/** The others of its kind, whose turns are to be its own too: a receipt has all signatures that meet on one head. */
const besides = ({ vouchers }: VouchingWork, voucher: Voucher): string[] =>
  vouchers.filter(({ id, kind }) => kind === voucher.kind && id !== voucher.id).map(({ id }) => id);

const nextTry = (now: Date, failures: number): Date =>
  new Date(now.getTime() + Math.min(FIRST_WAIT * 2 ** Math.min(failures, 20), LONGEST_WAIT));

/** What failed was ours: with the database the run is over, a log that lacks something keeps no other one waiting. */
async function noteOwn(
  { db, log: logger, metrics }: VouchingWork,
  voucher: Voucher,
  { vouching, log, now, turn }: Turn,
  error: unknown,
): Promise<void> {
  turn.failed.push(error);
  turn.isCut ||= isUnavailable(error);
  if (turn.isCut || vouching.signal.aborted) return;
  const { environment_id, failures } = log;
  metrics.vouched(voucher.kind, 'failed');
  const words = 'an evidence log lacks what a proof of it needs: nobody can vouch for it';
  const key = `unprovable ${environment_id}`;
  tellOnce(logger, {
    level: 'error',
    key,
    fields: { environment_id, error },
    message: words,
    words,
    about: { environment_id },
  });
  const next_at = nextTry(now, failures);
  await keepFailure(db, log, { voucher: voucher.id, problem: 'unprovable', now, next_at }).catch(() => {
    turn.isCut = true;
  });
}

function tell(log: Logger, { name, kind }: Voucher, environment_id: string, error: NotVouched): void {
  const { message, code, problem } = error;
  const about = { [kind]: name, problem, ...(code === undefined ? {} : { code }) };
  if (error.isRollBack) {
    const words =
      'an evidence log was rolled back or forked: a witness has signed a different history of it than the one in the database';
    const key = `rolled back ${name} ${environment_id}`;
    const site = { ...about, environment_id };
    tellOnce(log, {
      level: 'error',
      key,
      fields: { ...site, why: message },
      message: words,
      words,
      about: site,
    });
    return;
  }
  const words = `a ${kind} did not vouch for an evidence log; it is asked again`;
  const key = `not vouched ${name} ${problem}`;
  tellOnce(log, {
    level: 'warn',
    key,
    fields: { ...about, environment_id, why: message },
    message: words,
    words,
    about,
  });
}

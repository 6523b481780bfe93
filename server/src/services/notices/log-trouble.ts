import { pagesOf } from '../../db/pages-of';
import { ROLLED_BACK, unvouchedBefore } from '../../domain/ledger/vouching-warnings';
import { DAY_MS, HOUR_MS } from '../../domain/time';
import type { Look, SiteNotice } from './told';

/** Longer than a passing failure of the sealing, a witness or an authority, as the warnings have it. */
const LASTING = DAY_MS;
/** A worker that looked so lately was there to seal; after a gap the sealing catches up first. */
const LATELY = HOUR_MS;

interface TroubledLog {
  environment_id: string;
  since: Date;
}

const troubled = ({ environment_id, since }: TroubledLog, name: string, message: string, lasting = 0) => ({
  ...{ environment_id, topic: 'evidence_failing' as const, path: '/evidence', message },
  ...{ key: `${name} ${since.toISOString()}`, at: new Date(since.getTime() + lasting) },
});

export async function* damagedLogs({ db, rows }: Look): AsyncGenerator<SiteNotice[]> {
  const damaged = () =>
    db('ledger_audits')
      .whereNotNull('damaged_since')
      .select('environment_id', db.ref('damaged_since').as('since'));
  const message =
    'Records and the evidence log do not fit: ask whoever runs the server before anything is changed.';
  for await (const page of pagesOf<TroubledLog>(rows, ['environment_id'], damaged))
    yield page.map((log) => troubled(log, 'damaged', message));
}

const failing = ({ db, vouchers }: Look) =>
  db('ledger_vouchers')
    .whereIn('voucher', [...vouchers])
    .groupBy('environment_id')
    .select('environment_id', db.raw('min(failing_since) AS since'));

/** Told at once: what was sealed meanwhile may be lost. */
export async function* rolledBackLogs(look: Look): AsyncGenerator<SiteNotice[]> {
  const back = () =>
    failing(look)
      .whereIn('problem', [...ROLLED_BACK])
      .whereNotNull('failing_since');
  const message =
    'The evidence log is not the one that was signed before: it was rolled back or changed, as by an older backup. Ask whoever runs the server to restore the newest backup.';
  for await (const page of pagesOf<TroubledLog>(look.rows, ['environment_id'], back))
    yield page.map((log) => troubled(log, 'rolled back', message));
}

export async function* unvouchedLogs(look: Look): AsyncGenerator<SiteNotice[]> {
  const lasting = () =>
    failing(look)
      .where('failing_since', '<', unvouchedBefore(look.now))
      .whereRaw("coalesce(problem, '') <> ALL (?::text[])", [[...ROLLED_BACK]]);
  const message =
    'For more than a day a witness or time-stamping authority has not vouched for the evidence log.';
  for await (const page of pagesOf<TroubledLog>(look.rows, ['environment_id'], lasting))
    yield page.map((log) => troubled(log, 'unvouched', message, LASTING));
}

/** Logs of which something waits for a day, and nothing was sealed meanwhile. */
export async function* unsealedLogs({ db, now, since, rows }: Look): AsyncGenerator<SiteNotice[]> {
  if (now.getTime() - since.getTime() > LATELY) return;
  const before = new Date(now.getTime() - LASTING);
  const still = () =>
    db('ledger_pending AS p')
      .leftJoin('ledger_heads AS h', 'h.environment_id', 'p.environment_id')
      .whereRaw('coalesce(h.sealed_at < ?, true)', [before])
      .groupBy('p.environment_id')
      .havingRaw('min(p.first_at) < ?', [before])
      .select('p.environment_id', db.raw('min(p.first_at) AS since'));
  const message =
    'For more than a day nothing was sealed in the evidence log, though records wait: ask whoever runs the server to look at its log. Until then the latest records are not proven.';
  for await (const page of pagesOf<TroubledLog>(rows, ['p.environment_id'], still))
    yield page.map((log) => troubled(log, 'unsealed', message, LASTING));
}

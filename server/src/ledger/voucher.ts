import type { Knex } from 'knex';
import type { Problem, Vouched } from '../db/ledger/vouchers';
import { ROLLED_BACK } from '../domain/ledger/vouching-warnings';
import type { Ask } from './ask';

/** Why somebody has not vouched for a log. */
export class NotVouched extends Error {
  override name = 'NotVouched';

  /** @param code of the network, or a status, for the log */
  constructor(
    readonly problem: Problem,
    message: string,
    readonly code?: string,
  ) {
    super(message);
  }

  /** Whether the log is not the one that a witness has signed before. */
  get isRollBack(): boolean {
    return ROLLED_BACK.includes(this.problem);
  }
}

/** A head of a log that a witness is asked about, with its signed checkpoint. */
export interface OfferedHead {
  size: number;
  note: string;
}

/** What a voucher works with. */
export interface Vouching {
  db: Knex;
  ask: Ask;
  signal: AbortSignal;
  now: Date;
  /** What witnesses were asked about in this run, by site. */
  offered: Map<string, OfferedHead>;
}

/** What is found out of a site's log, and stored when it is vouched for. */
export type Found = Pick<Vouched, 'size' | 'note' | 'proof'>;

/** A witness or an authority. */
export interface Voucher {
  /** How it is stored: the verifier key of a witness, the URL of an authority. */
  id: string;
  kind: 'witness' | 'authority';
  /** How people know it. */
  name: string;
  /** Milliseconds between two requests for a log that has grown. */
  every: number;
  /** Asks about a site's log. Throws `NotVouched`. */
  vouch(vouching: Vouching, environmentId: string, vouched: number): Promise<Found>;
}

/** The problem that an error of the network is. */
export function unreachable(error: unknown): NotVouched {
  const code = (error as { code?: unknown }).code;
  return new NotVouched('unreachable', 'it cannot be reached', typeof code === 'string' ? code : undefined);
}

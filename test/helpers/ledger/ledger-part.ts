import type { Knex } from 'knex';
import type { Change } from './record-tables';
import type { Ground } from './tampering-ground';

export type Tamper = (trx: Knex) => Promise<unknown>;
/** A change, what is done, and what is found. */
export type Done = [change: Change, name: string, tamper: Tamper, expected: readonly string[]];
/** What is done to some tables, by their names. */
export type Part = (ground: Ground) => Promise<Record<string, Done[]>>;

/** How names of what is done with the key end. */
export const LATER = 'later, with the key';
export const HANDED_OUT = 'handed out, with the key';
export const EARLIER = "interval '1 hour'";

export const forkOf = ({ site }: Ground): string => `forked: the checkpoint of ${site.handedOut} leaves`;

import { setImmediate as turn } from 'node:timers/promises';
import type { Knex } from 'knex';
import { groupKeyOf } from '../db/ledger/group-key';
import { type HeadRow, lockHead } from '../db/ledger/heads';
import { joinSegments, lastSegment, type Segment, writeSegments } from '../db/ledger/segments';
import { readTiles, writeTiles } from '../db/ledger/tree-rows';
import { renewCheckpoint } from '../db/ledger/vouchers';
import { clock } from '../domain/clock';
import { edgeOf, GrowingTree } from '../domain/ledger/append';
import { EMPTY_ROOT, HASH_BYTES } from '../domain/ledger/hash';
import { importMac } from '../domain/ledger/import-state';
import { signCheckpoint } from '../domain/ledger/note';
import type { Vault } from '../security/vault';
import { refuseChanged } from './genuine-head';
import { currentKey, type SigningKey } from './keys';
import { handOver } from './succession';

/** Leaves that are appended before others get a turn: about a millisecond. */
const TURN = 256;

/** A site whose log is written. */
export interface LoggedSite {
  id: string;
  token: string;
  created_at: Date;
}

/** What writing a log needs besides the database. */
export interface LogOptions {
  vault: Vault;
  publicUrl: string;
  /** Sites made since have no records from before the log; undefined as long as there may be such records. */
  sealedSince: Date | undefined;
}

/** What becomes leaves, with the times of its first and last record. */
export interface Batch {
  commitments: Buffer;
  first_at: Date;
  last_at: Date;
}

type Change = Partial<Pick<HeadRow, 'imported_on' | 'import_cursor' | 'import_done'>>;

/** The name of a site's log: without a scheme, as C2SP tlog-checkpoint asks for. */
export const originOf = (publicUrl: string, token: string): string =>
  `${new URL(publicUrl).host}/ledger/${token}`;

/** A site's log, open for writing: its head is locked as long as the transaction lasts. */
export class OpenLog {
  private readonly segments: Segment[] = [];
  /** Leaves since others had a turn. */
  private since = 0;

  private constructor(
    private readonly trx: Knex,
    readonly head: HeadRow,
    private readonly tree: GrowingTree,
    private readonly key: SigningKey,
  ) {}

  /** Locks the log of a site; begins it when there is none yet. Throws `ChangedLogError`. */
  static async of(trx: Knex, site: LoggedSite, options: LogOptions): Promise<OpenLog> {
    const head = (await lockHead(trx, site.id)) ?? (await begin(trx, site, options));
    // Under the lock: a key that was retired before signs nothing after its successor.
    const key = await currentKey(trx, options.vault);
    const tree = new GrowingTree(head.size, await readTiles(trx, site.id, edgeOf(head.size)));
    await refuseChanged(trx, options.vault, head, { tree, present: key });
    await handOver(trx, options.vault, head, key);
    return new OpenLog(trx, head, tree, key);
  }

  /** Whether another key signs now than the one that signed the head. */
  get isHandedOver(): boolean {
    return this.head.key_id !== this.key.id;
  }

  /** Gives leaves their places. */
  async append({ commitments, first_at, last_at }: Batch, imported = false): Promise<void> {
    for (let from = 0; from < commitments.length; from += TURN * HASH_BYTES) {
      const some = commitments.subarray(from, from + TURN * HASH_BYTES);
      const leaves = some.length / HASH_BYTES;
      this.segments.push({ first_leaf: this.tree.size, leaves, first_at, last_at, imported });
      this.tree.append(some);
      this.since += leaves;
      if (this.since >= TURN) await this.rest();
    }
  }

  /** Most groups have fewer leaves than a turn, so that these are counted over all of them. */
  private async rest(): Promise<void> {
    this.since = 0;
    await turn();
  }

  /** Writes what was appended, and the new head. */
  async close(more: Change = {}): Promise<HeadRow> {
    const { trx, tree, key } = this;
    const { environment_id, origin } = this.head;
    const root = tree.root();
    await writeTiles(trx, environment_id, tree.takeChanged());
    await this.writeSegments();
    const note = signCheckpoint({ origin, size: tree.size, root }, key.key);
    const signed = { size: tree.size, root, note, key_id: key.id, sealed_at: clock.date(), ...more };
    const after = { ...this.head, ...signed };
    const change = { ...signed, import_mac: after.import_done ? null : importMac(groupKeyOf(trx), after) };
    const { import_cursor: cursor, ...others } = change;
    const asText = cursor === undefined ? {} : { import_cursor: cursor && JSON.stringify(cursor) };
    await trx('ledger_heads')
      .where({ environment_id })
      .update({ ...others, ...asText });
    // Who has the new key alone trusts no other.
    if (this.isHandedOver && tree.size === this.head.size)
      await renewCheckpoint(trx, { environment_id, size: tree.size, note });
    return { ...after, import_mac: change.import_mac };
  }

  private async writeSegments(): Promise<void> {
    if (this.segments.length === 0) return;
    const { environment_id } = this.head;
    const last = await lastSegment(this.trx, environment_id);
    const joined = joinSegments(last === undefined ? this.segments : [last, ...this.segments]);
    const isFull = last !== undefined && joined[0]?.leaves === last.leaves;
    await writeSegments(this.trx, environment_id, isFull ? joined.slice(1) : joined);
  }
}

async function begin(
  trx: Knex,
  { id, token, created_at }: LoggedSite,
  { vault, publicUrl, sealedSince }: LogOptions,
): Promise<HeadRow> {
  const origin = originOf(publicUrl, token);
  const key = await currentKey(trx, vault);
  const now = clock.date();
  const state = { environment_id: id, size: 0, imported_on: null, import_cursor: null };
  const import_done = sealedSince !== undefined && created_at >= sealedSince;
  await trx('ledger_heads')
    .insert({
      ...{ ...state, origin, root: EMPTY_ROOT, key_id: key.id, began_at: now, sealed_at: now, import_done },
      note: signCheckpoint({ origin, size: 0, root: EMPTY_ROOT }, key.key),
      import_mac: import_done ? null : importMac(groupKeyOf(trx), state),
    })
    .onConflict('environment_id')
    .ignore();
  return (await lockHead(trx, id)) as HeadRow;
}

import { createHash } from 'node:crypto';
import type { Knex } from 'knex';
import { EnvironmentRow, VendorListRow } from '../db/models';
import { FairTurns, type Sender } from '../domain/fair-turns';
import { Memory } from '../domain/memory';
import { PURPOSES } from '../domain/purposes';
import type { Vendor } from '../domain/types';
import type { Site } from '../ingest/site';
import { JSON_TYPE, type Packed, pack } from './packed';

/** Bytes of lists cached by a process, in all encodings: about thirty of the Global Vendor List's size. */
const MEMORY = 32 * 2 ** 20;

/** What may wait to be read: of one maker of sites, and in all. */
const LOOK_UPS = { each: 1_000, all: 2_000 };

/** A version of a site's list. */
export interface ListVersion {
  version: number;
  vendors: readonly Vendor[];
  created_at: Date | undefined;
}

/** A list as the API shows it; before the first version it has the date of its site. */
export function viewOf({ version, vendors, created_at }: ListVersion, fallback: Date) {
  const used = new Set(
    vendors.flatMap(({ purposes, leg_int_purposes }) => [...purposes, ...leg_int_purposes]),
  );
  return {
    vendor_list_version: version,
    updated_at: (created_at ?? fallback).toISOString(),
    purposes: PURPOSES.filter(({ id }) => used.has(id)),
    vendors: [...vendors],
  };
}

/** The current list; before the first version it is empty and has version 0. */
export async function currentVendors(
  db: Knex,
  environment_id: string,
): Promise<{ version: number; vendors: Vendor[]; created_at: Date | undefined }> {
  const row = await VendorListRow.query(db).where({ environment_id }).orderBy('version', 'desc').first();
  return { version: row?.version ?? 0, vendors: row?.vendors ?? [], created_at: row?.created_at };
}

/**
 * Vendor lists for the public: serialised and compressed once per version, then sent from memory. A version
 * never changes, so only its number is read from the database.
 */
export class VendorLists {
  private readonly memory: Memory<Packed>;
  /** One at a time, so that visitors' connections are left for visitors; makers of sites take turns, then sites. */
  private readonly lookUps = new FairTurns(1, LOOK_UPS);
  /** Lists being compressed; concurrent requests share one. */
  private readonly inFlight = new Map<string, Promise<Packed>>();

  constructor(
    private readonly db: Knex,
    most = MEMORY,
  ) {
    this.memory = new Memory(most);
  }

  /** The current list of a site, in the envelope. */
  async find({ id, maker }: Pick<Site, 'id' | 'maker'>, message: string): Promise<Packed> {
    const sender: Sender = [maker, id];
    const newest = await this.lookUps.take(sender, () => this.newest(id));
    const key = `${id} ${newest}`;
    const kept = this.memory.get(key) ?? this.inFlight.get(key);
    if (kept !== undefined) return kept;
    const made = this.make(sender, id, message).finally(() => this.inFlight.delete(key));
    this.inFlight.set(key, made);
    return made;
  }

  private async newest(environment_id: string): Promise<number> {
    const row = await VendorListRow.query(this.db)
      .where({ environment_id })
      .max('version as version')
      .first();
    return row?.version ?? 0;
  }

  private async make(sender: Sender, environmentId: string, message: string): Promise<Packed> {
    // In its turn too: a list of a mebibyte takes time to read, and a hundred of them much memory.
    const { version, text } = await this.lookUps.take(sender, () => this.read(environmentId, message));
    const tag = createHash('sha256').update(text).digest('base64url').slice(0, 27);
    const key = `${environmentId} ${version}`;
    const file = { text, tag, contentType: JSON_TYPE, sender };
    const packed = await pack(file, (better) => this.memory.has(key) && this.memory.set(key, better));
    this.memory.set(key, packed);
    return packed;
  }

  private async read(environmentId: string, message: string): Promise<{ version: number; text: string }> {
    const { created_at } = await EnvironmentRow.query(this.db)
      .findById(environmentId)
      .select('created_at')
      .throwIfNotFound();
    const list = await currentVendors(this.db, environmentId);
    const text = JSON.stringify({ status: 'success', data: viewOf(list, created_at), message });
    return { version: list.version, text };
  }
}

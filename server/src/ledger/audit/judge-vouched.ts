import { verifyCosignature } from '../../domain/ledger/cosignature';
import { checkpointText, readCheckpoint } from '../../domain/ledger/note';
import { openNote, readSignatures, readVkey } from '../../domain/ledger/open-note';
import { allKeys } from '../keys';
import type { Audited } from './audited-site';

/** Sizes that are read at once. */
const SIZES = 500;

interface Row {
  environment_id: string;
  size: number;
}

/** A head that somebody outside keeps, as the operator gives it: a pack's, a receipt's, a witness's. */
export interface Outside {
  origin: string;
  size: number;
  root: Buffer;
  /** As its log signed it. */
  note: string;
}

/**
 * Those that a key of this server signed, also one that no longer is a key of this log, which may have been begun anew. What
 * anybody else wrote says nothing of the log.
 */
export async function signedOf(
  { trx, findings }: Audited,
  outside: readonly Outside[],
): Promise<readonly Outside[]> {
  if (outside.length === 0) return outside;
  const keys = [...(await allKeys(trx)).values()];
  return outside.filter(({ origin, size, note }) => {
    const isOwn = keys.some(({ public_key }) => readCheckpoint(note, origin, public_key) !== undefined);
    if (!isOwn) findings.add('unsigned', `the checkpoint of ${size} leaves that you gave`);
    return isOwn;
  });
}

/** What was handed out, or vouched for, at each size of a log. */
export class Vouched {
  private sizes: number[] = [];
  private isDone = false;
  private last = 0;

  constructor(
    private readonly about: Audited,
    private readonly keys: readonly Buffer[],
    private readonly outside: readonly Outside[],
  ) {}

  /** The next size above one that somebody holds a head of; infinite when there is none. */
  async nextSize(above: number): Promise<number> {
    while (this.sizes.length > 0 && (this.sizes[0] as number) <= above) this.sizes.shift();
    if (this.sizes.length === 0 && !this.isDone) await this.read(above);
    const beside = this.outside.map(({ size }) => size).filter((size) => size > above);
    return Math.min(...beside, this.sizes[0] ?? Number.POSITIVE_INFINITY);
  }

  private async read(above: number): Promise<void> {
    const { trx, site } = this.about;
    const from = Math.max(above, this.last);
    const { rows } = await trx.raw<{ rows: { size: number }[] }>(
      `SELECT size FROM ledger_checkpoints WHERE environment_id = :id AND size > :from
       UNION SELECT size FROM ledger_cosignatures WHERE environment_id = :id AND size > :from
       UNION SELECT size FROM ledger_timestamps WHERE environment_id = :id AND size > :from
       ORDER BY size LIMIT ${SIZES}`,
      { id: site.id, from },
    );
    this.sizes = rows.map(({ size }) => Number(size));
    this.last = this.sizes.at(-1) ?? from;
    this.isDone = rows.length < SIZES;
  }

  /** Compares everything of one size with the root that the leaves make. */
  async judge(size: number, root: Buffer): Promise<void> {
    const { trx, site, head, findings } = this.about;
    const origin = head?.origin ?? '';
    const text = checkpointText({ origin, size, root });
    for (const other of this.outside)
      if (other.size === size && !other.root.equals(root))
        findings.add('forked', `the checkpoint of ${size} leaves that you gave is of a different history`);
    const where = { environment_id: site.id, size };
    const checkpoint: (Row & { note: string }) | undefined = await trx('ledger_checkpoints')
      .where(where)
      .first();
    if (checkpoint !== undefined) this.judgeCheckpoint(checkpoint, root);
    const lines: (Row & { witness: string; line: string })[] = await trx('ledger_cosignatures').where(where);
    for (const row of lines) this.judgeLine(row, text, checkpoint?.note);
    const stamps: (Row & { authority: string; token: Buffer; gen_time: Date })[] =
      await trx('ledger_timestamps').where(where);
    for (const row of stamps) await this.judgeStamp(row, text, checkpoint?.note);
    const isBare = checkpoint === undefined && lines.length + stamps.length > 0;
    if (isBare) findings.add('vouched', `ledger_checkpoints: the checkpoint of ${size} leaves is gone`);
  }

  private judgeCheckpoint({ size, note }: Row & { note: string }, root: Buffer): void {
    const { head, findings } = this.about;
    const read = this.keys
      .map((key) => readCheckpoint(note, head?.origin ?? '', key))
      .find((one) => one !== undefined);
    if (read === undefined || read.size !== Number(size) || openNote(note) === undefined)
      findings.add('vouched', `ledger_checkpoints: no key of this log signed the one of ${size} leaves`);
    else if (!read.root.equals(root))
      findings.add(
        'forked',
        `the checkpoint of ${size} leaves that was handed out is of a different history`,
      );
  }

  private judgeLine(
    { size, witness, line }: Row & { witness: string; line: string },
    text: string,
    note: string | undefined,
  ): void {
    if (signs(line, witness, text)) return;
    const { findings } = this.about;
    const name = witness.split('+', 1)[0];
    if (note !== undefined && signs(line, witness, textOf(note)))
      findings.add('forked', `the witness ${name} signed a different history at ${size} leaves`);
    else
      findings.add('vouched', `ledger_cosignatures: that of ${name} at ${size} leaves is not its signature`);
  }

  private async judgeStamp(
    { size, authority, token, gen_time }: Row & { authority: string; token: Buffer; gen_time: Date },
    text: string,
    note: string | undefined,
  ): Promise<void> {
    const { findings } = this.about;
    const { timeInToken } = await import('../../domain/ledger/time-stamp.js');
    const timeOf = (of: string) => timeInToken(token, of).catch(() => undefined);
    const at = await timeOf(text);
    const host = URL.canParse(authority) ? new URL(authority).host : 'an authority';
    if (at !== undefined) {
      if (at.getTime() !== gen_time.getTime())
        findings.add(
          'vouched',
          `ledger_timestamps: gen_time at ${size} leaves is not the time that ${host} states`,
        );
    } else if (note !== undefined && (await timeOf(textOf(note))) !== undefined)
      findings.add('forked', `${host} stamped a different history at ${size} leaves`);
    else
      findings.add('vouched', `ledger_timestamps: the token at ${size} leaves is no time-stamp of this log`);
  }

  /** What was handed out of a log that was larger than it is now; and what witnesses have answered since. */
  async beyond(size: number): Promise<void> {
    const { trx, site, findings } = this.about;
    const said = new Set<number>(this.outside.map((one) => one.size).filter((one) => one > size));
    for (let next = await this.nextSize(size); next !== Number.POSITIVE_INFINITY && said.size < SIZES; ) {
      said.add(next);
      next = await this.nextSize(next);
    }
    const { environment_id, origin } = { environment_id: site.id, origin: this.about.head?.origin };
    for (const one of said)
      findings.add('rolled_back', `a checkpoint of ${one} leaves was handed out, the log has ${size}`);
    for (const other of this.outside)
      if (other.origin !== origin) findings.add('forked', 'the checkpoint that you gave names another log');
    const vouchers = await trx('ledger_vouchers').where({ environment_id });
    for (const { voucher, size: known, problem } of vouchers) {
      const name = String(voucher).split('+', 1)[0];
      if (Number(known) > size)
        findings.add('rolled_back', `${name} vouched for ${known} leaves, the log has ${size}`);
      if (problem === 'larger_tree')
        findings.add('rolled_back', `${name} answers that it has signed a larger log`);
      if (problem === 'other_tree')
        findings.add('forked', `${name} answers that it has signed a different history`);
    }
  }
}

const textOf = (note: string): string => note.slice(0, note.indexOf('\n\n') + 1);

function signs(line: string, witness: string, text: string): boolean {
  const key = readVkey(witness);
  const [signature] = readSignatures(`${line}\n`) ?? [];
  if (key === undefined || signature === undefined || signature.name !== key.name || signature.id !== key.id)
    return false;
  return verifyCosignature(signature, key, text) !== undefined;
}

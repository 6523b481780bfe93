import { judgeAttachments, type Named, type StampLine } from './attachments.js';
import { fromBase64, hex, sha256, utf8 } from './bytes.js';
import { Context } from './context.js';
import { type Head, judgeCheckpoint, judgeSeen, judgeTrust, judgeWitnesses, refuseOther } from './head.js';
import { addKey, followKeys, type Job, KEY_MEMBERS, type ListedKey, type LogKeys } from './keyring.js';
import { demand, EVIDENCE, type Kind, type Line, linesOf, reportUnknown, unknownIn } from './lines.js';
import { verifyConsistency } from './merkle.js';
import { type Outcome, RECORD_MEMBERS, verifyRecord } from './record.js';
import { refuse, type StepName } from './report.js';
import type { RandomAccess } from './source.js';
import { contentOf, type Entry, readZip } from './zip.js';

/** What each type of line holds besides its type. */
const MEMBERS: Record<string, Record<string, Kind>> = {
  pack: {
    version: 'number',
    site: 'text',
    origin: 'text',
    made_at: 'text',
    subject: 'any',
    imported_on: 'text?',
  },
  key: KEY_MEMBERS,
  checkpoint: { note: 'text', witnesses: 'list', timestamps: 'list', 'consistency?': 'list' },
  record: RECORD_MEMBERS,
  file: { path: 'text', sha256: 'text' },
  end: { records: 'number' },
};
const ORDER = Object.keys(MEMBERS);
const STAMP: Record<string, Kind> = { authority: 'text', file: 'text', genTime: 'text' };
/** Records that are hashed at the same time, and bytes of their lines. */
const AT_ONCE = 64;
const BYTES_AT_ONCE = 4_194_304;
/** A server puts a quarter of it into one pack. */
const MOST_RECORDS = 1_000_000;
/** Heads of one pack: each costs the check of signatures. */
export const MOST_HEADS = 10;
/** Bytes of a line that is no record: what it says may be kept to the end. */
const LONGEST = 65_536;

/** Verifies an evidence pack. @throws {Refusal} at what cannot be understood */
export async function verifyPack(job: Job, file: RandomAccess): Promise<void> {
  const { report, signal } = job;
  report.found.kind = 'pack';
  const entries = await readZip(file, signal);
  const evidence = entries.get(EVIDENCE);
  if (evidence === undefined) refuse('it is no evidence pack', EVIDENCE);
  report.add('file', true, `a ZIP file of ${entries.size} files`, `byte 0 to ${file.size}`);
  // Nothing in it can name it as another file.
  entries.delete(EVIDENCE);
  const pack = new Pack(job, entries);
  for await (const line of linesOf(contentOf(file, evidence, signal))) {
    await pack.take(line);
  }
  pack.end();
  pack.named.context.judge(report);
  await judgeAttachments(job, file, entries, pack.named);
}

/** The lines of a pack, in their order. */
class Pack {
  readonly named: Named = { files: new Map(), timeStamps: new Map(), context: new Context() };
  readonly #listed: ListedKey[] = [];
  readonly #leaves = new Set<number>();
  #waiting: Promise<Outcome>[] = [];
  #waitingBytes = 0;
  #heads = 0;
  #records = 0;
  #stage = -1;
  #site = '';
  #origin = '';
  #log: LogKeys | undefined;
  #head: Head | undefined;

  readonly #job: Job;
  readonly #entries: ReadonlyMap<string, Entry>;

  constructor(job: Job, entries: ReadonlyMap<string, Entry>) {
    this.#job = job;
    this.#entries = entries;
  }

  async take({ value: { type, ...value }, where, length }: Line): Promise<void> {
    const { report, signal } = this.#job;
    signal?.throwIfAborted();
    const stage = ORDER.indexOf(type as string);
    // There is one first and one last line, of a known type, and one of the others may follow itself.
    if (
      stage < Math.max(this.#stage, 0) ||
      stage > 0 === this.#stage < 0 ||
      (type === 'end' && stage === this.#stage)
    )
      refuse(`a line of the type ${JSON.stringify(type)?.slice(0, 60)} cannot stand here`, where);
    if (stage > this.#stage) await this.#flush();
    this.#stage = stage;
    const kinds = MEMBERS[type as string] as Record<string, Kind>;
    this.#waitingBytes += length;
    if (type === 'record') return this.#readRecord(value, where);
    demand(report, value, kinds, where);
    if (length > LONGEST) refuse('the line is longer than 64 KiB', where);
    if (type === 'pack') this.#begin(value, where);
    else if (type === 'key') await addKey(this.#listed, value, this.#origin, where);
    else if (type === 'checkpoint') await this.#readHead(value, where);
    else if (type === 'file') this.#readFile(value as { path: string; sha256: string }, where);
    else this.#count(value.records as number, where);
  }

  /** What must be there once, when the last line is read. */
  end(): void {
    if (ORDER[this.#stage] !== 'end') refuse('the last line is missing', EVIDENCE);
    if (this.#records === 0) this.#job.report.add('record', 'unknown', 'the file holds no record', EVIDENCE);
  }

  async #readRecord(value: Record<string, unknown>, where: string): Promise<void> {
    reportUnknown(this.#job.report, unknownIn(value, RECORD_MEMBERS), where);
    this.#records += 1;
    if (this.#records > MOST_RECORDS) refuse('too many records', where);
    this.#waiting.push(verifyRecord(value, this.#site, this.#head, where));
    if (this.#waiting.length === AT_ONCE || this.#waitingBytes > BYTES_AT_ONCE) await this.#flush();
  }

  /** A record that was left out leaves no trace, unless every leaf of the log is in the file. */
  #count(said: number, where: string): void {
    const { report } = this.#job;
    const what = `the last line says ${said} records, and there are ${this.#records}`;
    report.add('file', said === this.#records, what, where);
    const size = this.#head?.size;
    const isWhole = this.#leaves.size === size;
    const all = `that no record was left out of the ${size} leaves of this head; later ones may exist`;
    report.add('record', isWhole || 'unproven', all, where);
    judgeSeen(this.#job, this.#leaves, size ?? 0, where);
  }

  #begin({ version, site, origin, imported_on }: Record<string, unknown>, where: string): void {
    if (version !== 1) refuse('it is no pack of version 1', where);
    Object.assign(this.#job.report.found, { site, origin });
    this.#job.report.add('file', 'unproven', 'when it was made, and what it is about', where);
    [this.#site, this.#origin] = [site as string, origin as string];
    this.named.context.importedOn = imported_on;
    refuseOther(this.#origin, this.#site, where);
  }

  async #readHead(value: Record<string, unknown>, where: string): Promise<void> {
    const job = this.#job;
    const origin = this.#origin;
    this.#heads += 1;
    if (this.#heads > MOST_HEADS) refuse('too many checkpoints', where, 'checkpoint');
    this.#log ??= await followKeys(job, origin, this.#listed);
    const head = await judgeCheckpoint(job, this.#log, value.note as string, where);
    this.#head ??= head;
    job.report.found.size = this.#head.size;
    const isOlder = this.#head !== head;
    const isContinued =
      !isOlder || (await this.#compare(head, value.consistency as string[] | undefined, where));
    judgeTrust(job, this.#log, head, where, isOlder);
    await judgeWitnesses(job, this.#log, head, { listed: value.witnesses, isContinued }, where);
    await this.#readTimeStamps(head, value.timestamps as unknown[], where);
  }

  /** Whether the log of the proofs continues an older head. */
  async #compare(older: Head, proof: string[] | undefined, where: string): Promise<boolean> {
    const head = this.#head as Head;
    const isProven =
      proof !== undefined &&
      proof.length <= 128 &&
      proof.every((hash) => fromBase64(hash, 32)) &&
      (await verifyConsistency({ from: older, to: head, proof }));
    const found = isProven ? 'continues' : 'is not proven to continue';
    const what = `the log of ${head.size} leaves ${found} that of ${older.size}`;
    this.#job.report.add('consistency', isProven, what, where);
    return isProven;
  }

  async #readTimeStamps(head: Head, stamps: unknown[], where: string): Promise<void> {
    const imprint = hex(await sha256(utf8(head.text)));
    const begin = `timestamps/${head.size}-`;
    for (const stamp of stamps) {
      demand(this.#job.report, stamp, STAMP, where, 'time-stamp');
      const one = { ...(stamp as StampLine), imprint, where };
      // A file of another path could pass for a time-stamp, and words that are no URL for what was found.
      const parts = one.file.split(begin).join(' ');
      if (!/^ \d+\.tsr https?:\/\/[!-~]{1,500}$/.test(`${parts} ${one.authority}`))
        refuse(`no URL, or no ${begin}n.tsr`, where, 'time-stamp');
      this.#name(this.named.timeStamps, one.file, one, 'time-stamp');
    }
  }

  #readFile({ path, sha256: hash }: { path: string; sha256: string }, where: string): void {
    if (hash.length !== 64) refuse('its SHA-256 is none', where);
    this.#name(this.named.files, path, { sha256: hash, where }, 'attachment');
  }

  /** Only what is there is kept: names of anything else have no end. */
  #name<One extends { where: string }>(
    named: Map<string, One>,
    path: string,
    one: One,
    step: StepName,
  ): void {
    if (named.has(path)) refuse(`${path} is named twice`, one.where);
    if (this.#entries.has(path)) named.set(path, one);
    else this.#job.report.add(step, false, `${path} is missing`, one.where);
  }

  async #flush(): Promise<void> {
    const { report } = this.#job;
    const { records } = report.found;
    const outcomes = await Promise.all(this.#waiting);
    this.#waiting = [];
    this.#waitingBytes = 0;
    for (const { ok, what, where, statement, leaf } of outcomes) {
      const isTwice = leaf !== undefined && this.#leaves.has(leaf);
      if (leaf !== undefined) this.#leaves.add(leaf);
      if (statement !== undefined)
        this.named.context.note(report, statement, where, ok === true ? leaf : undefined);
      if (isTwice) report.add('record', false, `leaf ${leaf} stands here a second time`, where);
      else report.add('record', ok, what, where);
      if (ok === false || isTwice) records.failed += 1;
      else if (leaf === undefined) records.pending += 1;
      else if (this.#head?.signedBy !== undefined) records.proven += 1;
    }
  }
}

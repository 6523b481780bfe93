import { Readable } from 'node:stream';
import type { Knex } from 'knex';
import { type HeadRow, headOf } from '../../db/ledger/heads';
import { ConsentRow, type EnvironmentRow } from '../../db/models';
import { clock } from '../../domain/clock';
import { ValidationError } from '../../domain/errors';
import { packWords } from '../../domain/ledger/pack-words';
import { originOf } from '../log';
import { RememberingReader } from '../tile-reader';
import { viewKeys } from '../view';
import { BundleFiles, packed, sha256Of, type WholeFile } from './files';
import { checkpointLine, endLine, fileLine, headLine, keyLine, type PackHead, recordLine } from './lines';
import { Names } from './names';
import { Pace } from './pace';
import { type PackFacts, packPage, readMe } from './page';
import { type PackLog, placeOf, type RecordState, recordState } from './record-state';
import type { LogOwner } from './records';
import { Shown } from './shown';
import { recordsOf } from './source';
import type { Subject } from './subject';
import { type VouchedCheckpoint, vouchedCheckpoints } from './vouched';
import { type PackedFile, zipOf } from './zip';

export { type PackQuery, subjectOf } from './subject';

/** Consent records of one pack, and its other records, such as form consents: an archive of this form holds 4 GiB. */
const MOST = { consents: 200_000, facts: 50_000 };

/**
 * A pack that is made while it is read. Throws 400 when it would be too large.
 * @param reader the group of accounts that it is made for
 */
export async function packOf(
  db: Knex,
  environment: EnvironmentRow,
  subject: Subject,
  publicUrl: string,
  reader: string,
): Promise<Readable> {
  await refuseMany(db, environment.id, subject);
  const head = await headOf(db, environment.id);
  const pack = new Pack(db, environment, subject, head, publicUrl, reader);
  // What is checked is checked now: an error can be sent only before the file has begun.
  await pack.begin();
  return Readable.from(zipOf(pack.files(), pack.madeAt), { objectMode: false });
}

/** Counts by the end of each, so that no more are counted than may be. */
async function refuseMany(db: Knex, environment_id: string, { consents, facts }: Subject): Promise<void> {
  const refuse = (most: number, what: string): never => {
    const message = `a pack holds at most ${most} ${what}: take a shorter range`;
    throw ValidationError.of('query.from', message, 'range');
  };
  if (consents !== undefined) {
    const rows = ConsentRow.records(db).where({ environment_id });
    consents(rows);
    const beyond = await rows
      .clearSelect()
      .select('consents.consent_id')
      .offset(MOST.consents)
      .limit(1)
      .first();
    if (beyond !== undefined) refuse(MOST.consents, 'consent records');
  }
  if (facts !== undefined) {
    const rows = db('ledger_facts').where({ environment_id });
    facts(rows);
    const beyond = await rows.select('fact_id').orderBy('fact_id').offset(MOST.facts).limit(1);
    if (beyond.length > 0) refuse(MOST.facts, 'records besides consents');
  }
}

/** One pack while it is made. */
class Pack {
  readonly madeAt = clock.date();
  private readonly owner: LogOwner;
  private readonly log: PackLog;
  private readonly names: Names;
  private readonly bundles: BundleFiles;
  private readonly facts: PackFacts;
  private checkpoints: VouchedCheckpoint[] = [];

  constructor(
    private readonly db: Knex,
    private readonly environment: EnvironmentRow,
    private readonly subject: Subject,
    private readonly head: HeadRow | undefined,
    private readonly publicUrl: string,
    private readonly reader: string,
  ) {
    const { id, token, name, domain, settings } = environment;
    this.owner = { id, token, importedOn: head?.imported_on?.toISOString() };
    this.log = { db, environmentId: id, head, log: new RememberingReader(db, id) };
    this.names = new Names(db, id);
    this.bundles = new BundleFiles(db, id, reader);
    this.facts = {
      ...{ site: name, domain, controller: settings.controller, language: settings.default_language },
      ...{ origin: head?.origin ?? null, size: head?.size ?? 0, root: head?.root.toString('base64') ?? '' },
      ...{
        madeAt: this.madeAt,
        sealedAt: head?.sealed_at,
        importedOn: head?.imported_on ?? undefined,
      },
      ...{ asked: subject.asked, counts: new Map(), waiting: 0, unproven: 0 },
      ...{ checkpoints: [], shown: new Shown() },
    };
  }

  async begin(): Promise<void> {
    const { db, head } = this;
    if (head === undefined || head.size === 0) return;
    this.checkpoints = await vouchedCheckpoints(db, head, await this.firstLeaf());
    this.facts.checkpoints = this.checkpoints;
    const { environment_id, size, note, sealed_at: at } = head;
    // Handed out, so that it can be held against the log later.
    await db('ledger_checkpoints')
      .insert({ environment_id, size, note, at })
      .onConflict(['environment_id', 'size'])
      .ignore();
  }

  /** The place of the first record in the log; undefined when it is not sealed. */
  private async firstLeaf(): Promise<number | undefined> {
    const { db, owner, subject, log } = this;
    for await (const batch of recordsOf(db, owner, subject, new Names(db, owner.id)))
      for (const record of batch) return (await placeOf(log, record))?.leaf;
    return undefined;
  }

  async *files(): AsyncGenerator<PackedFile> {
    const others: WholeFile[] = [{ path: 'README.txt', content: readMe(`${this.publicUrl}/verify`) }];
    for (const { timestamps } of this.checkpoints)
      for (const { file, response } of timestamps) others.push({ path: file, content: response });
    yield { name: 'evidence.ndjson', content: this.lines(others) };
    for (const file of others) yield packed(file);
    for (const hash of this.names.bundles)
      for await (const { path, content } of this.bundles.of(hash)) yield { name: path, content: content() };
  }

  /** @param others gets the page that says in words what is proven, which is known at the end */
  private async *lines(others: WholeFile[]): AsyncGenerator<string> {
    yield headLine(this.packHead());
    for (const key of await viewKeys(this.db, this.environment.id, this.head)) yield keyLine(key);
    for (const checkpoint of this.checkpoints) yield checkpointLine(checkpoint);
    const pace = new Pace(this.reader);
    let records = 0;
    for await (const batch of recordsOf(this.db, this.owner, this.subject, this.names)) {
      for (const record of batch) {
        const state = await recordState(this.log, record);
        note(this.facts, record, state);
        records += 1;
        this.bundles.note(record);
        yield recordLine(record, state);
        await pace.rest();
      }
    }
    others.push({ path: 'statement.html', content: packPage(this.facts, packWords(this.facts.language)) });
    for (const { path, content } of others) yield fileLine(path, sha256Of(content));
    for (const hash of this.names.bundles)
      for await (const { path, sha256 } of this.bundles.of(hash)) {
        yield fileLine(path, await sha256());
        await pace.rest();
      }
    yield endLine(records);
  }

  private packHead(): PackHead {
    const { environment, head, madeAt, subject, publicUrl } = this;
    const { token } = environment;
    return {
      // Of a log that has not begun, the name that it will have.
      ...{ site: token, origin: head?.origin ?? originOf(publicUrl, token), made_at: madeAt.toISOString() },
      ...{ subject: subject.asked, imported_on: head?.imported_on?.toISOString() ?? null },
    };
  }
}

function note(
  facts: PackFacts,
  { kind, statement }: { kind: string; statement: string },
  { status }: RecordState,
): void {
  facts.counts.set(kind, (facts.counts.get(kind) ?? 0) + 1);
  if (status !== 'sealed') facts[status] += 1;
  if (kind !== 'settings' && kind !== 'vendors')
    facts.shown.add({ kind, record: () => JSON.parse(statement).record, status });
}

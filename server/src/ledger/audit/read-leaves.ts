import { readKept } from '../../db/ledger/kept';
import type { Segment } from '../../db/ledger/segments';
import { readTiles } from '../../db/ledger/tree-rows';
import { type ChangedTile, GrowingTree } from '../../domain/ledger/append';
import { HASH_BYTES } from '../../domain/ledger/hash';
import { WIDTH } from '../../domain/ledger/tiles';
import type { Audited } from './audited-site';
import type { Buckets } from './buckets';
import type { Vouched } from './judge-vouched';

/** Bundles of entries, and segments, that are read at once. */
const BUNDLES = 64;
const SEGMENTS = 2_000;
const FULL = WIDTH * HASH_BYTES;

/** Reads every leaf into the buckets, builds the tree anew, and compares it with what is stored and signed. */
export async function readLeaves(about: Audited, buckets: Buckets, vouched: Vouched): Promise<void> {
  const walk = new Walk(about, buckets, vouched);
  for await (const rows of bundlesOf(about)) {
    for (const { bundle, commitments } of rows) await walk.take(Number(bundle), commitments);
    await walk.compareTiles();
    about.progress(rows.length * WIDTH);
  }
  await walk.end();
}

interface Bundle {
  bundle: number;
  commitments: Buffer;
}

async function* bundlesOf({ trx, site }: Audited): AsyncGenerator<Bundle[]> {
  for (let after = -1; ; ) {
    const rows: Bundle[] = await trx('ledger_entries')
      .where({ environment_id: site.id })
      .where('bundle', '>', after)
      .orderBy('bundle')
      .limit(BUNDLES)
      .select('bundle', 'commitments');
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows;
    after = Number(last.bundle);
  }
}

class Walk {
  private readonly tree = new GrowingTree(0, []);
  private readonly segments: SegmentWalk;
  private isWhole = true;
  private next = 0;
  private partial = new Map<string, ChangedTile>();
  private readonly tiles = new Map<number, number>();

  constructor(
    private readonly about: Audited,
    private readonly buckets: Buckets,
    private readonly vouched: Vouched,
  ) {
    this.segments = new SegmentWalk(about);
  }

  async take(bundle: number, commitments: Buffer): Promise<void> {
    const { findings } = this.about;
    const isOdd =
      commitments.length === 0 || commitments.length > FULL || commitments.length % HASH_BYTES !== 0;
    if (bundle !== this.next || this.tree.size % WIDTH !== 0 || isOdd) {
      if (this.isWhole)
        findings.add(
          'tree',
          `ledger_entries: what comes before bundle ${bundle}, or the bundle, is not whole`,
        );
      this.isWhole = false;
    }
    this.next = bundle + 1;
    for (let at = 0; at + HASH_BYTES <= commitments.length; at += HASH_BYTES) {
      const leaf = bundle * WIDTH + at / HASH_BYTES;
      const place = await this.segments.at(leaf);
      this.buckets.add(commitments.subarray(at, at + HASH_BYTES), { holder: 'leaf', leaf, ...place });
    }
    if (this.isWhole) await this.grow(commitments);
  }

  /** Stops at each size that somebody holds a signature of. */
  private async grow(commitments: Buffer): Promise<void> {
    for (let from = 0; from < commitments.length; ) {
      const size = await this.vouched.nextSize(this.tree.size);
      const until = Math.min(commitments.length, from + (size - this.tree.size) * HASH_BYTES);
      this.tree.append(commitments.subarray(from, until));
      from = until;
      if (this.tree.size === size) await this.vouched.judge(size, this.tree.root());
    }
  }

  /** Tiles that are full do not change any more. */
  async compareTiles(isEnd = false): Promise<void> {
    for (const tile of this.tree.takeChanged())
      if (tile.level > 0) this.partial.set(`${tile.level} ${tile.tile}`, tile);
    const done = [...this.partial.values()].filter(({ hashes }) => isEnd || hashes.length === FULL);
    if (done.length === 0) return;
    for (const { level, tile } of done) this.partial.delete(`${level} ${tile}`);
    const stored = await readTiles(this.about.trx, this.about.site.id, done);
    const byPlace = new Map(stored.map(({ level, tile, hashes }) => [`${level} ${tile}`, hashes]));
    for (const { level, tile, hashes } of done) {
      this.tiles.set(level, (this.tiles.get(level) ?? 0) + 1);
      const found = byPlace.get(`${level} ${tile}`);
      if (found === undefined)
        this.about.findings.add('tree', `ledger_tiles: tile ${level}/${tile} is missing`);
      else if (!found.equals(hashes))
        this.about.findings.add(
          'tree',
          `ledger_tiles: tile ${level}/${tile} does not fit the leaves below it`,
        );
    }
  }

  async end(): Promise<void> {
    const { trx, site, head, findings } = this.about;
    if (this.isWhole) await this.compareTiles(true);
    await this.segments.end(this.tree.size);
    const { size } = this.tree;
    if (head === undefined) {
      if (size > 0) findings.add('head', 'ledger_heads: the head of the log is gone, its leaves are there');
    } else if (this.isWhole && size !== head.size) {
      findings.add('head', `ledger_heads: the head speaks of ${head.size} leaves, ${size} are there`);
    } else if (this.isWhole && !this.tree.root().equals(head.root)) {
      findings.add('head', 'ledger_heads: the root is not the one that the leaves make');
    }
    // Without the leaves of before nothing is known of what lies above them.
    if (!this.isWhole) return;
    await this.vouched.beyond(size);
    const counts: { level: number; n: string }[] = await trx('ledger_tiles')
      .where({ environment_id: site.id })
      .groupBy('level')
      .select('level', trx.raw('count(*) AS n'));
    for (const { level, n } of counts)
      if (Number(n) > (this.tiles.get(level) ?? 0))
        findings.add('tree', `ledger_tiles: level ${level} has tiles that no leaves are below`);
  }
}

/** What a leaf's bucket entry says of when its records were stored. */
interface Place {
  first: number;
  last: number;
  imported: boolean;
  floor: number;
}

/** Goes along the segments as the leaves come. */
class SegmentWalk {
  private rows: Segment[] = [];
  private present: Segment | undefined;
  private isDone = false;
  private end_ = 0;
  /** When the latest record before the present segment was stored. */
  private floor = 0;
  private before = 0;
  imported = 0;

  constructor(private readonly about: Audited) {}

  async at(leaf: number): Promise<Place> {
    while (!this.isDone && (this.present === undefined || leaf >= this.end_)) await this.step();
    const { present } = this;
    if (present === undefined || leaf >= this.end_ || leaf < Number(present.first_leaf))
      return { first: 0, last: 0, imported: false, floor: 0 };
    const [first, last] = [present.first_at.getTime(), present.last_at.getTime()];
    return { first, last, imported: present.imported, floor: this.floor };
  }

  private async step(): Promise<void> {
    const segment = await this.read();
    if (segment === undefined) return;
    const { findings } = this.about;
    const first = Number(segment.first_leaf);
    if (first !== this.end_ || segment.leaves < 1)
      findings.add('tree', `ledger_segments: leaf ${this.end_} lies in no segment, or in two`);
    if (segment.first_at > segment.last_at)
      findings.add('tree', `ledger_segments: the segment of leaf ${first} ends before it begins`);
    this.floor = Math.max(this.floor, this.before);
    if (segment.imported) this.imported += segment.leaves;
    else this.before = segment.last_at.getTime();
    this.present = segment;
    this.end_ = first + segment.leaves;
  }

  private async read(): Promise<Segment | undefined> {
    const { trx, site } = this.about;
    if (this.rows.length === 0) {
      const after = this.present === undefined ? -1 : Number(this.present.first_leaf);
      this.rows = await trx('ledger_segments')
        .where({ environment_id: site.id })
        .where('first_leaf', '>', after)
        .orderBy('first_leaf')
        .limit(SEGMENTS);
      this.isDone = this.rows.length === 0;
    }
    return this.rows.shift();
  }

  async end(size: number): Promise<void> {
    const { trx, site, findings } = this.about;
    while (!this.isDone) await this.step();
    if (this.end_ !== size)
      findings.add('tree', `ledger_segments: they speak of ${this.end_} leaves, ${size} are there`);
    const facts: { statement: string }[] = await trx('ledger_facts')
      .where({ environment_id: site.id, kind: 'import' })
      .select('statement');
    judgeImport(this.about, facts, this.imported);
  }
}

/** Records from before the log were sealed once, and so many as the log says. */
function judgeImport({ head, findings }: Audited, facts: { statement: string }[], imported: number): void {
  if (facts.length > 1) findings.add('inserted', 'records from before the log were imported twice');
  const [fact] = facts;
  if (fact === undefined) {
    if (imported > 0 && head?.import_done === true)
      findings.add('inserted', `${imported} leaves are called imported, but no import was sealed`);
    return;
  }
  const record = readKept(fact.statement)?.record ?? {};
  if (head?.import_done === false)
    findings.add('head', 'ledger_heads: an import that ended would begin again');
  if (record.records !== imported)
    findings.add('tree', `ledger_segments: ${imported} leaves are called imported, ${record.records} were`);
  if (record.imported_on !== head?.imported_on?.toISOString())
    findings.add('head', 'ledger_heads: imported_on is not the day that was sealed');
}

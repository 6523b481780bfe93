import { createHash } from 'node:crypto';
import type { Knex } from 'knex';
import { BUNDLE_FILES, type BundleHashes, readFile } from '../../db/ledger/bundle-record';
import { BundleRow } from '../../db/models';
import { canonicalPieces } from '../../domain/ledger/canonical';
import { rest } from '../../domain/rests';
import { inChunks } from '../../domain/yielding';
import type { HiddenRecord } from './records';
import type { PackedFile } from './zip';

/** A file whose content is small enough to be in memory. */
export interface WholeFile {
  path: string;
  content: string | Buffer;
}

export const packed = ({ path, content }: WholeFile): PackedFile => ({ name: path, content: [content] });

export const sha256Of = (content: string | Buffer): string =>
  createHash('sha256').update(content).digest('hex');

/** A file that is read only when it is its turn. */
interface BundleFile {
  path: string;
  /** In hexadecimal digits. */
  sha256(): Promise<string>;
  content(): AsyncGenerator<string>;
}

/** The files of the bundles of a pack. */
export class BundleFiles {
  /** What was computed for the records: a file can have a mebibyte, and is made canonical once more for its content. */
  private readonly known = new Map<string, BundleHashes>();

  constructor(
    private readonly db: Knex,
    private readonly environmentId: string,
    private readonly reader: string,
  ) {}

  note({ kind, statement, isMade }: Pick<HiddenRecord, 'kind' | 'statement' | 'isMade'>): void {
    if (kind !== 'bundle' || isMade !== true) return;
    const { hash, files } = JSON.parse(statement).record;
    this.known.set(hash, files);
  }

  /** What a bundle showed: the banner's very bytes, and the texts and vendors that it loads when it needs them. */
  async *of(hash: string): AsyncGenerator<BundleFile> {
    const { db, environmentId, reader } = this;
    const row = await BundleRow.query(db).findById([environmentId, hash]).select('script');
    if (row === undefined) return;
    const { script } = row;
    yield fileOf(`bundles/${hash}.js`, () => inChunks([script]));
    const known = this.known.get(hash);
    for (const [name, column] of BUNDLE_FILES) {
      const content = async function* (): AsyncGenerator<string> {
        const pieces = canonicalPieces(await readFile(db, environmentId, hash, column));
        yield* inChunks(pieces, () => rest(reader));
      };
      yield fileOf(`bundles/${hash}.${name}`, content, known?.[name]);
    }
  }
}

const fileOf = (path: string, content: BundleFile['content'], known?: string): BundleFile => ({
  path,
  content,
  sha256: async () => {
    if (known !== undefined) return known;
    const hash = createHash('sha256');
    for await (const piece of content()) hash.update(piece);
    return hash.digest('hex');
  },
});

import { createHash } from 'node:crypto';
import type { Knex } from 'knex';
import { ScanRow, VendorListRow } from '../db/models';
import { cookiesOfPages } from '../db/scanned-pages';
import type { BannerProgram } from '../domain/banner/sources';
import { FairTurns } from '../domain/fair-turns';
import { Memory } from '../domain/memory';
import { type CookieDeclaration, declarationOf } from '../domain/public-pages/declaration';
import { runYielding } from '../domain/yielding';
import { type Packed, pack } from './packed';
import type { PageSource } from './page-sources';

/** Bytes of declarations cached by a process, in all forms, languages and encodings. */
const MEMORY = 32 * 2 ** 20;
/** What may wait to be read: of one maker of sites, and in all. */
const LOOK_UPS = { each: 1_000, all: 2_000 };

/** A way to write a declaration down. */
export interface Form {
  /** Tells it from other forms. */
  name: string;
  contentType: string;
  write(declaration: CookieDeclaration): Generator<unknown, string>;
}

/** Cookie declarations: made and compressed once for each version of what they are made of, then sent from memory. */
export class Declarations {
  private readonly memory: Memory<Packed>;
  /** One at a time, so that visitors' connections are left for visitors; makers of sites take turns, then sites. */
  private readonly lookUps = new FairTurns(1, LOOK_UPS);
  /** Being made; concurrent requests share one. */
  private readonly inFlight = new Map<string, Promise<Packed>>();

  constructor(
    private readonly db: Knex,
    private readonly program: BannerProgram,
    most = MEMORY,
  ) {
    this.memory = new Memory(most);
  }

  /** `count` gets what it took to make one, in bytes, and 0 before; it throws 429. What is kept takes nothing. */
  async find(
    source: PageSource,
    language: string,
    form: Form,
    count: (bytes: number) => void,
  ): Promise<Packed> {
    const key = `${source.stamp} ${language} ${form.name}`;
    const kept = this.memory.get(key) ?? this.inFlight.get(key);
    if (kept !== undefined) return kept;
    count(0);
    const made = this.make(key, source, language, form).finally(() => this.inFlight.delete(key));
    this.inFlight.set(key, made);
    const packed = await made;
    count(packed.bodies.identity.length);
    return packed;
  }

  private async make(key: string, source: PageSource, language: string, form: Form): Promise<Packed> {
    const sender = [source.maker, source.id] as const;
    // In its turn too: lists of a mebibyte take time to read, and a hundred of them much memory.
    const text = await this.lookUps.take(sender, async () =>
      runYielding(form.write(await this.read(source, language))),
    );
    const tag = createHash('sha256').update(text).digest('base64url').slice(0, 27);
    const file = { text, tag, contentType: form.contentType, sender };
    const packed = await pack(file, (better) => this.memory.has(key) && this.memory.set(key, better));
    this.memory.set(key, packed);
    return packed;
  }

  private async read(source: PageSource, language: string): Promise<CookieDeclaration> {
    const { id, token, domains, settings, hasBanner, vendorVersion, scanId, createdAt } = source;
    const list = await VendorListRow.query(this.db).findById([id, vendorVersion]);
    const scan = scanId === undefined ? undefined : await ScanRow.query(this.db).findById(scanId);
    const { pages } = await cookiesOfPages(this.db, { id, domains: [...domains] }, new Date(0));
    const dates = [createdAt, list?.created_at, scan?.finished_at].map((date) => date?.getTime() ?? 0);
    const declaring = declarationOf({
      ...{ token, language, settings, program: this.program, hasBanner, scan },
      ofPages: pages.flatMap(({ cookies }) => cookies),
      vendors: { version: list?.version ?? 0, vendors: list?.vendors ?? [] },
      updatedAt: new Date(Math.max(...dates)),
    });
    return runYielding(declaring);
  }
}

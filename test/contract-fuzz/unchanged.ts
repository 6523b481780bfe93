import type { Knex } from 'knex';
import { allRows } from '../helpers/site/rows';

/** Reading all rows takes longer than most requests, so that so many requests are looked at together. */
const TOGETHER = 10;

/** Watches that requests which must store nothing store nothing. */
export class Unchanged {
  private rows: string | undefined;
  private sent: string[] = [];

  constructor(private readonly db: Knex) {}

  /** Before a request that must store nothing. */
  async begin(): Promise<void> {
    this.rows ??= await this.read();
  }

  /** After it. */
  async add(request: string): Promise<void> {
    this.sent.push(request);
    if (this.sent.length === TOGETHER) await this.look();
  }

  /** Before a request that may store something, and at the end. */
  async end(): Promise<void> {
    if (this.sent.length > 0) await this.look();
    this.rows = undefined;
  }

  private async look(): Promise<void> {
    const [before, sent] = [this.rows, this.sent];
    this.sent = [];
    this.rows = await this.read();
    if (this.rows !== before) throw new Error(`One of these has stored something:\n  ${sent.join('\n  ')}`);
  }

  private read = async (): Promise<string> => JSON.stringify(await allRows(this.db));
}

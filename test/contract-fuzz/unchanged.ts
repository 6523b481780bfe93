import type { Knex } from 'knex';
import { allRows } from '../helpers/site/rows';

/** Reading all rows takes longer than most requests, so that so many requests are looked at together. */
const TOGETHER = 30;

/** Watches that requests which must store nothing store nothing. */
export class Unchanged {
  private rows: Record<string, string> | undefined;
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
    const [before, sent] = [this.rows ?? {}, this.sent];
    this.sent = [];
    const now = await this.read();
    this.rows = now;
    const tables = Object.keys(now).filter((table) => now[table] !== before[table]);
    if (tables.length > 0)
      throw new Error(`One of these has stored something in ${tables.join(', ')}:\n  ${sent.join('\n  ')}`);
  }

  private read = (): Promise<Record<string, string>> => allRows(this.db);
}

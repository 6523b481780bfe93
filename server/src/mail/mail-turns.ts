import type { Tenant } from '../db/tenants';

/** Accounts and lines whose last turn is remembered. */
const MAX_KNOWN = 10_000;

/**
 * Who is served next: the account that was not for the longest, and of its lines the one that was not. Whoever queues
 * thousands of mails, on however many sites and about however many accounts of theirs, waits behind themselves.
 */
export class MailTurns<Line extends Tenant = Tenant> {
  /** The number of the last turn of an account, and of a line. */
  private readonly last = new Map<string, number>();
  private turns = 0;

  /** The lines in the order of their turns, each once; a turn counts when the next is asked for. */
  *inOrder(lines: readonly Line[]): Generator<Line> {
    const left = new Set(lines);
    while (left.size > 0) {
      const next = this.longestSince(left) as Line;
      left.delete(next);
      yield next;
      // Not reached for a line that there was no room for.
      this.note(next);
    }
  }

  private longestSince(lines: Iterable<Line>): Line | undefined {
    let first: { line: Line; account: number; site: number } | undefined;
    for (const line of lines) {
      const [account, site] = [this.lastOf('account', line.account), this.lastOf('site', line.site)];
      if (first === undefined || account < first.account || (account === first.account && site < first.site))
        first = { line, account, site };
    }
    return first?.line;
  }

  private lastOf(kind: string, id: string): number {
    return this.last.get(`${kind} ${id}`) ?? 0;
  }

  private note({ account, site }: Tenant): void {
    if (this.last.size > MAX_KNOWN) this.last.clear();
    this.turns += 1;
    for (const key of [`account ${account}`, `site ${site}`]) this.last.set(key, this.turns);
  }
}

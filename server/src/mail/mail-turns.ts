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

  /**
   * The lines in the order of their turns, each once; a turn counts when the next is asked for. One that has no place is
   * passed over, and keeps its turn.
   */
  *inOrder(lines: readonly Line[], hasPlace: (line: Line) => boolean = () => true): Generator<Line> {
    const left = new Set(lines);
    for (;;) {
      const next = this.longestSince(left, hasPlace);
      if (next === undefined) return;
      left.delete(next);
      yield next;
      // Not reached for a line that there was no room for.
      this.note(next);
    }
  }

  /** Takes those without a place out, so that nobody looks at them again. */
  private longestSince(lines: Set<Line>, hasPlace: (line: Line) => boolean): Line | undefined {
    let first: { line: Line; account: number; site: number } | undefined;
    for (const line of lines) {
      if (!hasPlace(line)) {
        lines.delete(line);
        continue;
      }
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

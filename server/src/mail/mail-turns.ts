import type { Tenant } from '../db/tenants';

/** Accounts and lines whose last turn is remembered. */
const MAX_KNOWN = 10_000;

/**
 * Who is served next: the account that was not for the longest, and of its lines the one that was not. Whoever queues
 * thousands of mails, on however many sites and about however many accounts of theirs, waits behind themselves.
 */
export class MailTurns<Line extends Tenant = Tenant> {
  /** The number of the last turn of an account, and of a line; the oldest first. */
  private readonly last = new Map<string, number>();
  private turns = 0;

  /**
   * The lines in the order of their turns, each once; a turn counts when the next is asked for. One that has no place when
   * it is its turn is passed over, and keeps it.
   */
  *inOrder(lines: readonly Line[], hasPlace: (line: Line) => boolean = () => true): Generator<Line> {
    // Whoever was served is the last of all from then on, so that nobody is compared again.
    const accounts = this.sorted(lines).map((own) => ({ own, at: 0 }));
    for (const account of accounts) {
      const { own } = account;
      while (account.at < own.length && !hasPlace(own[account.at] as Line)) account.at += 1;
      const line = own[account.at];
      if (line === undefined) continue;
      yield line;
      // Not reached for a line that there was no room for.
      this.note(line);
      account.at += 1;
      accounts.push(account);
    }
  }

  /** The lines by their accounts. */
  private sorted(lines: readonly Line[]): Line[][] {
    const turn = (kind: 'account' | 'site', id: string): number => this.last.get(`${kind} ${id}`) ?? 0;
    const accounts = new Map<string, { line: Line; at: number }[]>();
    for (const line of lines) {
      const one = { line, at: turn('site', line.site) };
      const known = accounts.get(line.account);
      if (known === undefined) accounts.set(line.account, [one]);
      else known.push(one);
    }
    return [...accounts]
      .map(([account, all]) => ({ all, at: turn('account', account) }))
      .sort((a, b) => a.at - b.at)
      .map(({ all }) => all.sort((a, b) => a.at - b.at).map(({ line }) => line));
  }

  private note({ account, site }: Tenant): void {
    this.turns += 1;
    for (const key of [`account ${account}`, `site ${site}`]) {
      this.last.delete(key);
      this.last.set(key, this.turns);
      const [oldest] = this.last.keys();
      if (this.last.size > MAX_KNOWN) this.last.delete(oldest as string);
    }
  }
}

import type { MailLine } from './mail-lines';
import { CONNECTIONS, type HandOver } from './smtp';

/** The longest wait after failures to reach the mail server, in seconds: soon after it is back, mails go. */
const LONGEST_REST = 300;
/** Mails in a row over which the conversation broke off, and of how many domains: then it is the mail server's fault. */
const BREAKS = CONNECTIONS * 2;
const DOMAINS = CONNECTIONS;
/** The longest wait then, in seconds. */
const SHORT_REST = 10;
/** Places of one holder, and of all together whose mails break off, so that others have some. */
const OF_ONE = CONNECTIONS - 1;
const SLOW = CONNECTIONS / 2;
/** Holders that are remembered as slow at once. */
const MAX_KNOWN = 10_000;

type Said = Exclude<HandOver, { result: 'stopped' }>;
type Broken = Extract<HandOver, { broke: true }>;

/** What one process knows of failures: whether the mail server is away, and over whose mails it stands still. */
export class MailTroubles {
  /** Rounds in a row that did not reach the mail server, when the last ended, and when the next is tried. */
  private failures = 0;
  private failedAt = 0;
  private restUntil = 0;
  /** The domains of mails over which it broke off since it last answered. */
  private breaks: string[] = [];
  /** The sites and receiving domains whose last mail broke off; and the holders of each mail in flight. */
  private readonly slow = new Set<string>();
  private readonly inFlight = new Set<{ holders: readonly string[] }>();
  /** The only group whose mails it has seen, and whether it has seen those of others: they are left a place then. */
  private group: string | undefined;
  private hasOthers = false;

  constructor(
    private readonly schedule: readonly number[],
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** Whether the mail server could not be reached the last time. */
  get isAway(): boolean {
    return this.failures > 0;
  }

  get isResting(): boolean {
    return this.now() < this.restUntil;
  }

  /** Notes who has mails. */
  see(lines: readonly Pick<MailLine, 'holders' | 'isNobodys'>[]): void {
    for (const { holders, isNobodys } of lines) {
      if (isNobodys) continue;
      this.group ??= holders[0];
      this.hasOthers ||= holders[0] !== this.group;
    }
  }

  /** How many mails of a line may go now. */
  placesOf({ holders: [group, own], slowBy }: Pick<MailLine, 'holders' | 'slowBy'>): number {
    const left = (most: number, holder: string): number =>
      most - this.countInFlight((one) => one.includes(holder));
    const places = Math.min(left(this.hasOthers ? OF_ONE : CONNECTIONS, group), left(OF_ONE, own));
    const isSlow = (holder: string): boolean => this.slow.has(holder);
    if (!isSlow(slowBy)) return Math.max(0, places);
    return Math.max(0, Math.min(places, SLOW - this.countInFlight((one) => one.some(isSlow))));
  }

  private countInFlight(counts: (holders: readonly string[]) => boolean): number {
    return [...this.inFlight].filter(({ holders }) => counts(holders)).length;
  }

  /** A mail of a line takes a place of each of its holders; call the result when it has ended. */
  begin({ holders }: Pick<MailLine, 'holders'>): () => void {
    const mail = { holders };
    this.inFlight.add(mail);
    return () => void this.inFlight.delete(mail);
  }

  /** Notes the outcome of a hand-over; resolves with what it is after those before it. */
  note(said: Said, { slowBy, to, begunAt }: { slowBy: string; to: string; begunAt: number }): Said {
    if (said.result === 'unreachable') this.rest(begunAt);
    else this.failures = 0;
    if (said.result === 'put off' && said.broke === true) return this.noteBreak(said, slowBy, to);
    if (said.result !== 'unreachable') {
      this.breaks = [];
      this.slow.delete(slowBy);
    }
    return said;
  }

  /** Those that were in flight together are one failure. */
  private rest(begunAt: number): void {
    if (this.failures > 0 && begunAt <= this.failedAt) return;
    this.failedAt = this.now();
    this.failures += 1;
    const wait = this.schedule[Math.min(this.failures, this.schedule.length) - 1] ?? 0;
    this.restUntil = this.failedAt + Math.min(wait, LONGEST_REST) * 1000;
  }

  private noteBreak(said: Broken, slowBy: string, to: string): Said {
    this.slow.delete(slowBy);
    this.slow.add(slowBy);
    const [oldest] = this.slow;
    if (this.slow.size > MAX_KNOWN) this.slow.delete(oldest as string);
    this.breaks = [...this.breaks, to.slice(to.lastIndexOf('@') + 1).toLowerCase()].slice(-BREAKS);
    const isServers = this.breaks.length === BREAKS && new Set(this.breaks).size >= DOMAINS;
    if (!isServers) return said;
    // No attempt of the mails, and a short rest only: somebody may have named such addresses on purpose.
    this.restUntil = this.now() + Math.min(this.schedule[0] ?? 0, SHORT_REST) * 1000;
    return { result: 'unreachable', status: said.status, error: said.error };
  }
}

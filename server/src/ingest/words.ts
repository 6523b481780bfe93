import { createHash } from 'node:crypto';
import { CHOICES } from '../db/consent-records';
import type { WordKey, WordStore } from '../db/consent-words';
import { Memory } from '../domain/memory';
import { HOUR_MS } from '../domain/time';
import { logFailure } from '../observability/failures';
import type { Logger } from '../observability/logger';
import type { DecisionRow, Entry, Words } from './entries';
import type { Session } from './session';
import type { Site } from './site';
import type { StoredDecision } from './statements';

/** Words that a process knows, and texts that it counts, at most: in bytes. */
const KNOWN = 16 * 2 ** 20;
const COUNTED = 8 * 2 ** 20;
/** The maximum number of new words that wait to be stored. */
const MAX_WAITING = 1_000;
/** Words stored at once. */
const BATCH = 200;
/** How often new words are stored, and how often a process looks whether records may name words, in milliseconds. */
const PACE = 1_000;
const LOOK = 5_000;
/** Overhead of a kept text, in bytes. */
const OVERHEAD = 200;

export interface WordOptions {
  /** A text becomes a word when it has come so often: what comes once costs no more than it did. */
  sightings?: number;
  /**
   * For how long a process names a word without saying so in the database, in milliseconds. Nothing erases a word
   * within a day of that.
   */
  trust?: number;
  pace?: number;
}

/** Times by the monotonic clock. */
interface Known {
  word: string;
  keptAt: number;
  until: number;
}

/**
 * Texts that decisions of a site repeat and that are stored once. A decision never waits for a word: it holds its
 * texts until, in the background, they have become words.
 */
export class WordMemory {
  /** By site, whose words a changed site must learn again; emptied when it is full. */
  private known = { size: 0, bySite: new WeakMap<Site, Record<WordKey['type'], Map<string, Known>>>() };
  private readonly counted = new Memory<{ n: number; size: number }>(COUNTED);
  private readonly waiting = new Map<string, { site: Site; key: WordKey }>();
  private readonly sightings: number;
  private readonly trust: number;
  private readonly pace: number;
  private enabled = false;
  /** Read at each turn of the timer only, because reading a clock costs more than a look-up. */
  private now = 0;
  /** Since when the connection is open that stores decisions. */
  private openedAt = Number.NEGATIVE_INFINITY;
  private timer: NodeJS.Timeout | undefined;
  private working: Promise<void> = Promise.resolve();

  constructor(
    private readonly store: WordStore,
    private readonly log: Logger,
    { sightings = 8, trust = 12 * HOUR_MS, pace = PACE }: WordOptions = {},
  ) {
    this.sightings = sightings;
    this.trust = trust;
    this.pace = pace;
  }

  start(): void {
    this.schedule(0);
  }

  async stop(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    await this.working;
  }

  /** The words of an entry's decision; counts the texts that are none yet. */
  wordsFor({ decision, site, kind: ofDecision }: Entry): Words | undefined {
    if (!this.enabled || decision === undefined || ofDecision === undefined) return undefined;
    const { user_agent, page_url } = decision;
    const kind = this.find(site, 'k', ofDecision);
    const agent = user_agent === null ? undefined : this.find(site, 'a', user_agent);
    const page = page_url === null ? undefined : this.find(site, 'p', page_url);
    if (kind === undefined && agent === undefined && page === undefined) return undefined;
    return {
      keptAt: Math.min(kind?.keptAt ?? NEVER, agent?.keptAt ?? NEVER, page?.keptAt ?? NEVER),
      kind: kind?.word,
      agent: agent?.word,
      page: page?.word,
    };
  }

  /** A connection stores decisions: another one may have led to a server that lacks words stored before. */
  storedBy({ openedAt }: Pick<Session, 'openedAt'>): void {
    this.openedAt = Math.max(this.openedAt, openedAt);
  }

  private find(site: Site, type: WordKey['type'], text: string): Known | undefined {
    const known = this.known.bySite.get(site)?.[type].get(text);
    if (known !== undefined && known.keptAt > this.openedAt && this.now < known.until) return known;
    this.count(site, type, text, known !== undefined);
    return undefined;
  }

  private count(site: Site, type: WordKey['type'], text: string, wasKnown: boolean): void {
    const name = type + site.id + text;
    if (this.waiting.size >= MAX_WAITING || this.waiting.has(name)) return;
    const n = (this.counted.get(name)?.n ?? 0) + 1;
    if (wasKnown || n >= this.sightings) {
      this.counted.delete(name);
      this.waiting.set(name, { site, key: { environment_id: site.id, type, text, word: wordOf(name) } });
    } else this.counted.set(name, { n, size: OVERHEAD + 2 * name.length });
  }

  private learn(site: Site, { type, text, word }: WordKey, keptAt: number): void {
    if (this.known.size > KNOWN) this.known = { size: 0, bySite: new WeakMap() };
    const { bySite } = this.known;
    let own = bySite.get(site);
    if (own === undefined) {
      own = { k: new Map(), a: new Map(), p: new Map() };
      bySite.set(site, own);
    }
    if (!own[type].has(text)) this.known.size += OVERHEAD + 2 * text.length;
    own[type].set(text, { word, keptAt, until: keptAt + this.trust });
  }

  private schedule(delay: number): void {
    this.timer = setTimeout(() => {
      this.working = this.work();
    }, delay).unref();
  }

  private async work(): Promise<void> {
    this.now = performance.now();
    try {
      if (this.enabled) await this.storeWaiting();
      else this.enabled = await this.store.mayName();
    } catch (error) {
      logFailure(this.log, 'warn', { error }, 'words of decisions could not be stored: decisions hold them');
    }
    if (this.timer !== undefined) this.schedule(this.enabled ? this.pace : LOOK);
  }

  private async storeWaiting(): Promise<void> {
    const some = new Map([...this.waiting].slice(0, BATCH));
    if (some.size === 0) return;
    // From before they are stored: the database has them from then on.
    const keptAt = performance.now();
    try {
      const kept = await this.store.keep([...some.values()].map(({ key }) => key));
      for (const [name, { site, key }] of some) if (kept.has(name)) this.learn(site, key, keptAt);
    } finally {
      for (const name of some.keys()) this.waiting.delete(name);
    }
  }
}

const NEVER = Number.POSITIVE_INFINITY;

/** The first eight bytes of a hash, as PostgreSQL writes a bigint. */
const wordOf = (name: string): string =>
  createHash('sha256').update(name).digest().readBigInt64BE().toString();

/**
 * A decision as it is stored: what a word says is left out. Words that were stored before the connection was opened
 * are not named: a stand-by that was promoted may lack them. Written out, because spreading costs much more.
 */
export function stored(
  { decision, words, sealed }: Entry & { decision: DecisionRow },
  { openedAt }: Pick<Session, 'openedAt'>,
  waited: string | null,
): StoredDecision {
  const usable = words !== undefined && words.keptAt > openedAt ? words : undefined;
  const kind = usable?.kind ?? null;
  const agent = usable?.agent ?? null;
  const page = usable?.page ?? null;
  const whole = kind === null;
  return {
    environment_id: decision.environment_id,
    session_id: decision.session_id,
    consent_id: decision.consent_id,
    decision: whole ? decision.decision : null,
    categories: whole ? decision.categories : null,
    policy_version: whole ? decision.policy_version : null,
    recorded_at: decision.recorded_at,
    // One that was brought along ends with the decision, and not as its kind says.
    expires_at: whole || decision.linked_from !== null ? decision.expires_at : null,
    kind,
    banner_version: whole ? decision.banner_version : null,
    bundle_hash: whole ? decision.bundle_hash : null,
    method: whole ? decision.method : null,
    recorded_by: whole ? decision.recorded_by : null,
    language: whole ? decision.language : null,
    page_url: page === null ? decision.page_url : null,
    ip_masked: decision.ip_masked,
    user_agent: agent === null ? decision.user_agent : null,
    gpc: whole ? decision.gpc : null,
    tc_string: decision.tc_string,
    gpp_string: decision.gpp_string,
    region: whole ? decision.region : null,
    rule: whole ? decision.rule : null,
    vendors: whole ? decision.vendors : null,
    linked_from: decision.linked_from,
    choice: whole ? null : CHOICES[decision.decision],
    agent,
    page,
    waited,
    blinding: sealed?.blinding ?? null,
  };
}

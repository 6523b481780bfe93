import type { Knex } from 'knex';
import { isDataError } from '../db/errors';
import { EnvironmentRow, type ScanRow, VendorListRow } from '../db/models';
import { judge } from '../domain/cookies/judge';
import { listing } from '../domain/cookies/listed-cookies';
import { isFirstParty } from '../domain/cookies/party';
import type { Observation } from '../domain/cookies/result';
import { runYielding } from '../domain/yielding';
import type { Policy } from '../net/policy';
import { hostOf } from '../net/target';
import { logFailure } from '../observability/failures';
import type { Logger } from '../observability/logger';
import { type Visit, visitByBrowser } from './browser';
import { type ClaimedScan, claimScan, type Outcome, releaseScan, settleScan } from './claim';
import { NOT_STORABLE, NoBrowser, ScanFailure } from './failure';
import { findChromium } from './find-chromium';
import { visitByHttp } from './http-engine';
import { SCAN_LIMITS, type ScanLimits } from './limits';

/** Scans at once in this process: a browser takes a core and some hundred MiB. */
const MAX_RUNNING = 2;
/** Of those, scans of strangers: members never wait for all of these. */
const MAX_STRANGERS = MAX_RUNNING - 1;
/** How often waiting scans are looked for, in milliseconds: what other processes stored. */
const SWEEP = 1_000;
const FOREIGN =
  'The page leads to a host that is none of the domains of the site: scan that one without the token.';

export interface RunnerOptions {
  db: Knex;
  log: Logger;
  policy: Policy;
  chromiumPath: string | undefined;
  /** The compiled program that drives a browser. */
  driver: string;
  /** The public URL of this server. */
  publicUrl(): string;
  /** Off: the browser runs without its sandbox, as this process does. */
  sandbox: boolean;
  limits?: Partial<ScanLimits> | undefined;
  /** `http` for tests of the engine without a browser. */
  engine?: 'http' | undefined;
  onScan?(result: 'done' | 'failed' | 'fenced', seconds: number): void;
}

/** How a scan ended, and whether it was still this process's. */
interface Settled {
  mine: boolean;
  state: 'done' | 'failed';
}

/** Runs the scans that wait, a few at a time. Any number of processes share the work. */
export class ScanRunner {
  private readonly running = new Set<Promise<void>>();
  private strangers = 0;
  private readonly stopping = new AbortController();
  private readonly limits: ScanLimits;
  private timer: NodeJS.Timeout | undefined;
  private claiming: Promise<void> | undefined;
  private started = false;
  private warned = false;

  constructor(private readonly options: RunnerOptions) {
    this.limits = { ...SCAN_LIMITS, ...options.limits };
  }

  start(): void {
    this.started = true;
    this.timer = setInterval(() => this.wake(), SWEEP).unref();
    this.wake();
  }

  /** Ends visits at once and returns them to the queue for another process or the next start. */
  async stop(): Promise<void> {
    this.started = false;
    clearInterval(this.timer);
    this.stopping.abort();
    await this.claiming;
    await Promise.all(this.running);
  }

  /** Something may be waiting; in a process without jobs nothing happens. */
  wake(): void {
    if (!this.started || this.claiming !== undefined || this.running.size >= MAX_RUNNING) return;
    this.claiming = this.claim()
      .catch((error) =>
        logFailure(
          this.options.log,
          'warn',
          { error },
          'scans could not be claimed; the next look is in a second',
        ),
      )
      .finally(() => {
        this.claiming = undefined;
      });
  }

  private async claim(): Promise<void> {
    while (this.started && this.running.size < MAX_RUNNING) {
      const claimed = await claimScan(this.options.db, this.strangers < MAX_STRANGERS);
      if (claimed === undefined) return;
      const stranger = claimed.scan.by_member ? 0 : 1;
      this.strangers += stranger;
      const work: Promise<void> = this.run(claimed)
        // The lease ends by itself, and the scan is run again.
        .catch((error) =>
          logFailure(
            this.options.log,
            'error',
            { error, scan_id: claimed.scan.scan_id },
            'a scan could not be written',
          ),
        )
        .finally(() => {
          this.running.delete(work);
          this.strangers -= stranger;
          this.wake();
        });
      this.running.add(work);
    }
  }

  private async run(claimed: ClaimedScan): Promise<void> {
    const { db, log, onScan } = this.options;
    const startedAt = performance.now();
    const found = await this.scan(claimed);
    if (this.stopping.signal.aborted) return releaseScan(db, claimed);
    const { mine, state } = await this.settle(claimed, found);
    const seconds = (performance.now() - startedAt) / 1000;
    onScan?.(mine ? state : 'fenced', seconds);
    // Without the address: it was given by anybody, and may name a person.
    log.info({ scan_id: claimed.scan.scan_id, state, fenced: !mine, ms: Math.round(seconds * 1000) }, 'scan');
  }

  /** A result that the database refuses would be refused again: the scan fails at once, and is not visited twice. */
  private async settle(claimed: ClaimedScan, outcome: Outcome): Promise<Settled> {
    const { db, log } = this.options;
    try {
      const mine = await settleScan(db, claimed, outcome);
      return { mine, state: 'error' in outcome ? 'failed' : 'done' };
    } catch (error) {
      if ('error' in outcome || !isDataError(error)) throw error;
      const { scan_id } = claimed.scan;
      logFailure(log, 'error', { error, scan_id }, 'the result of a scan could not be stored');
      return { mine: await settleScan(db, claimed, { error: NOT_STORABLE }), state: 'failed' };
    }
  }

  private async scan({ scan }: ClaimedScan): Promise<Outcome> {
    const { db, log } = this.options;
    try {
      const seen = await this.visit(scan.url);
      const server = hostOf(new URL(this.options.publicUrl()));
      const environment = await siteOf(db, scan);
      if (environment === undefined)
        return {
          engine: seen.engine,
          result: judge(seen, { listed: () => undefined, categories: [], server }),
        };
      const host = new URL(seen.finalUrl).hostname;
      if (!environment.domains.some((domain) => isFirstParty(host, domain))) return { error: FOREIGN };
      const environment_id = environment.id;
      const list = await VendorListRow.query(db).where({ environment_id }).orderBy('version', 'desc').first();
      return {
        engine: seen.engine,
        result: judge(seen, {
          // Others get turns: a list has up to a mebibyte.
          listed: await runYielding(listing(list?.vendors ?? [])),
          categories: environment.settings.categories,
          server,
        }),
      };
    } catch (error) {
      if (error instanceof ScanFailure) return { error: error.message };
      if (!this.stopping.signal.aborted)
        logFailure(log, 'error', { error, scan_id: scan.scan_id }, 'a scan failed unexpectedly');
      return { error: 'The scan failed for a reason on our side: try again later.' };
    }
  }

  private async visit(url: string): Promise<Observation> {
    const { policy, chromiumPath, driver, sandbox, engine, log } = this.options;
    const visit: Visit = { policy, limits: this.limits, stopped: this.stopping.signal, sandbox };
    const program = engine === 'http' ? undefined : findChromium(chromiumPath);
    if (program === undefined) return visitByHttp(url, visit);
    try {
      return await visitByBrowser(url, { program, driver }, visit);
    } catch (error) {
      if (!(error instanceof NoBrowser) || this.stopping.signal.aborted) throw error;
      if (!this.warned)
        log.warn({ reason: error.message }, 'cookie scans go without a browser: it cannot be started');
      this.warned = true;
      return visitByHttp(url, visit);
    }
  }
}

/** The site whose vendors classify what is found. */
async function siteOf(
  db: Knex,
  { environment_id, site_token }: ScanRow,
): Promise<EnvironmentRow | undefined> {
  if (environment_id !== null) return EnvironmentRow.query(db).findById(environment_id);
  return site_token === null ? undefined : EnvironmentRow.query(db).findOne({ token: site_token });
}

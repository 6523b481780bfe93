import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import type { Knex } from 'knex';
import { type Config, readConfig } from '../../server/src/config';
import { connect } from '../../server/src/db/knex';
import { CONSENT_KEY, type ConsentKey } from '../../server/src/db/ledger/erased';
import { groupKeyOf } from '../../server/src/db/ledger/group-key';
import { pendingRows } from '../../server/src/db/ledger/pending';
import { ensurePartitions } from '../../server/src/db/partitions';
import { clock } from '../../server/src/domain/clock';
import { Sealer } from '../../server/src/ledger/seal';
import { openConsents } from '../../server/src/ledger/statements';
import { createLogger } from '../../server/src/observability/logger';
import { Service } from '../../server/src/service';
import { createUser } from '../../server/src/services/accounts';
import { insertGroups } from './backlog';
import { answerCalls } from './child';
import { idAt } from './fill-history';

const DAY_MS = 86_400_000;
const DAYS = 365;
/** Runs of the job that seals, each day. */
const RUNS = 2;
/** Records of a group, at most: so few arrive at once where a year has a million. */
const GROUP = 4;
/** Days from one of these to the next. */
const EVERY = { settings: 15, request: 5, pack: 30 };

/** What to make. The key is the one of the database's secrets. */
export interface YearAsked {
  url: string;
  records: number;
  key: string;
}

/** What was made: a site with the log of a year. */
export interface Year {
  id: string;
  token: string;
  runs: number;
  erasures: number;
}

/**
 * Makes a site of a year ago and lives the year with it: its records in the months' partitions, sealed a few at a time,
 * with changes of its settings, erasures, requests and packs by the service's own endpoints. The clock of this process
 * goes along.
 */
async function liveYear({ url, records, key }: YearAsked): Promise<Year> {
  const variables = { DATABASE_URL: url, SECRETS_KEY: key, JWT_SECRET: 'benchmark '.repeat(8), ROLE: 'api' };
  const others = { PORT: '0', HOST: '127.0.0.1', RATE_LIMIT: 'off', LOG_LEVEL: 'silent', DATA_DIR: tmpdir() };
  const config = readConfig({ ...variables, ...others });
  const log = createLogger('error');
  const service = Service.create(config as Config & { databaseUrl: string }, { log });
  await service.start();
  const end = Math.floor(Date.now() / 1_000) * 1_000;
  const start = end - DAYS * DAY_MS;
  let now = start - DAY_MS / 2;
  clock.now = () => now;
  clock.difference = () => 0;
  const patient = connect(url, 1, { silenceMs: 0, limits: { statement: 0, lock: 0 } });
  try {
    const { db, vault, publicUrl } = service.context;
    await ensurePartitions(db, new Date(start), new Date(end));
    const owner = await Owner.of(service);
    const site = await owner.site();
    await insertConsents(patient, site.id, { start, end, records });
    const sealer = new Sealer({ db, log, vault, publicUrl });
    let erasures = 0;
    for (let run = 0; run < DAYS * RUNS; run += 1) {
      const from = start + (run * DAY_MS) / RUNS;
      now = from + DAY_MS / RUNS;
      await groupConsents(db, site.id, new Date(from), new Date(now));
      if (run % RUNS === 0) {
        const day = run / RUNS;
        erasures += await owner.eraseOne(site, new Date(from));
        if (day % EVERY.settings === 0) await owner.changeSettings(site, day);
        if (day % EVERY.request === 0) await owner.answerRequest(site);
        if (day % EVERY.pack === 0) await owner.takePack(site, new Date(from));
      }
      await sealer.run();
    }
    await patient.raw('VACUUM ANALYZE');
    return { ...site, runs: DAYS * RUNS, erasures };
  } finally {
    await patient.destroy();
    await service.destroy();
  }
}

interface Site {
  id: string;
  token: string;
}

/** Whoever works on the site, by its API. */
class Owner {
  private constructor(
    private readonly service: Service,
    private readonly userId: number,
  ) {}

  static async of(service: Service): Promise<Owner> {
    const person = { email: 'year@example.com', name: 'Owner', passwordHash: null, isVerified: true };
    return new Owner(service, (await createUser(service.context.db, person)).id);
  }

  async site(): Promise<Site> {
    const body = { name: 'Example shop', domain: 'shop.example.com' };
    const { token } = await this.ask<{ token: string }>('POST', '/environments', body);
    return this.service.context.db('environments').where({ token }).first('id', 'token');
  }

  /** Erases the first session since an instant; whether there was one. */
  async eraseOne({ id, token }: Site, since: Date): Promise<number> {
    const row = await this.service.context
      .db('consents')
      .where({ environment_id: id })
      .whereBetween('recorded_at', [since, clock.date()])
      .first('session_id');
    if (row !== undefined) await this.ask('DELETE', `/cookies/${token}/sessions/${row.session_id}`);
    return row === undefined ? 0 : 1;
  }

  async changeSettings({ token }: Site, day: number): Promise<void> {
    const controller = { name: `Example Ltd ${day}` };
    await this.ask('PATCH', `/environments/${token}`, { settings: { controller } });
  }

  async answerRequest({ token }: Site): Promise<void> {
    const body = { request_type: 'access', email: `${randomBytes(4).toString('hex')}@example.com` };
    const { request_id } = await this.ask<{ request_id: string }>('POST', `/dsar/${token}`, body);
    const path = `/cookies/${token}/dsar/${request_id}`;
    await this.ask('POST', `${path}/start`);
    await this.ask('POST', `${path}/extend`, { reason: 'Many requests.' });
  }

  /** Whose checkpoint the site must still agree with. */
  async takePack({ token }: Site, since: Date): Promise<void> {
    const to = new Date(since.getTime() + 60_000).toISOString();
    await this.ask('GET', `/cookies/${token}/evidence/export?from=${since.toISOString()}&to=${to}`);
  }

  private async ask<Data>(method: string, path: string, body?: object): Promise<Data> {
    const { context, port } = this.service;
    const { token } = await context.tokens.issue(this.userId);
    const answer = await fetch(`http://127.0.0.1:${port}/api${path}`, {
      method,
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const bytes = await answer.arrayBuffer();
    const text = answer.headers.get('content-type')?.includes('json') ? Buffer.from(bytes).toString() : '{}';
    if (!answer.ok) throw new Error(`${method} ${path} answers ${answer.status}: ${text}`);
    return (JSON.parse(text) as { data: Data }).data;
  }
}

interface Span {
  start: number;
  end: number;
  records: number;
}

/** All of the year, in the partitions of its months. */
const insertConsents = (db: Knex, id: string, { start, end, records }: Span): PromiseLike<unknown> =>
  db.raw(
    `INSERT INTO consents (environment_id, recorded_at, consent_id, session_id, decision, categories, policy_version,
       banner_version, method, language, page_url, ip_masked, user_agent, gpc, expires_at, blinding)
     SELECT :id::uuid, at, ${idAt('at')}, gen_random_uuid(), 'accept_all', '{"analytics":true,"marketing":true}'::jsonb,
       '1', 1, 'banner', 'en', 'https://shop.example.com/products/42', '127.0.***.***', 'desktop', false,
       at + interval '180 days', gen_random_uuid()
     FROM (SELECT to_timestamp(floor(:start::float8 + n * (:end::float8 - :start::float8) / :records::float8) / 1000) AS at
       FROM generate_series(0, :records::int - 1) AS n) AS times`,
    { id, start, end, records },
  );

/** Has what was stored in a time wait to be sealed, as its groups would have. */
async function groupConsents(db: Knex, id: string, from: Date, to: Date): Promise<void> {
  const keys: ConsentKey[] = await db('consents')
    .where({ environment_id: id })
    .where('recorded_at', '>=', from)
    .where('recorded_at', '<', to)
    .orderBy(['recorded_at', 'consent_id'])
    .select(...CONSENT_KEY);
  const opened = await openConsents(db, id, keys);
  const leaves = opened
    .map(({ at, commitment }) => ({ environment_id: id, at: at.toISOString(), commitment }))
    .sort((a, b) => a.at.localeCompare(b.at));
  const groups = [];
  for (let at = 0, size = 1; at < leaves.length; at += size, size = (size % GROUP) + 1)
    groups.push(...pendingRows(groupKeyOf(db), leaves.slice(at, at + size)));
  await insertGroups(db, groups);
}

answerCalls<YearAsked>(liveYear);

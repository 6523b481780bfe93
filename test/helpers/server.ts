import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAvow } from '@avow/sdk';
import { type Config, readConfig } from '../../server/src/config';
import { createLogger } from '../../server/src/observability/logger';
import { hashPassword } from '../../server/src/security/password';
import { Service, type ServiceOptions } from '../../server/src/service';
import { createUser } from '../../server/src/services/accounts';
import { checkedFetch } from './contract';
import { cloneDatabase } from './database';
import { kept } from './kept';
import { watchSecondConnections } from './second-connections';
import { watchTurns } from './turns';

export type Client = ReturnType<typeof createAvow>;
export const PASSWORD = 'correct horse battery';

export interface TestServer {
  url: string;
  databaseUrl: string;
  service: Service;
  /** A client without a login, as visitors have it. */
  visitor: Client;
  /** A new person with an account. */
  person(name?: string): Promise<{ client: Client; userId: number; email: string }>;
  /** A new person with a new environment. */
  site(settings?: object): Promise<{ client: Client; token: string; userId: number; email: string }>;
  stop(): Promise<void>;
}

/** How a test's server differs from the usual one. */
export interface ServerOptions extends ServiceOptions {
  /** Variables of the environment, as an operator would set them. */
  variables?: Record<string, string>;
  /** A database that is there already; it is not dropped at the end. */
  databaseUrl?: string;
}

/** The server of a suite, or of the tests of one `describe`: started before them, stopped after them. */
export function useServer(options: ServerOptions = {}): TestServer {
  let server: TestServer | undefined;
  beforeAll(async () => {
    server = await startServer(options);
  });
  afterAll(() => server?.stop());
  return new Proxy({} as TestServer, {
    get: (_target, name) => {
      if (server === undefined) throw new Error('the server runs only during the tests and their hooks');
      return Reflect.get(server, name);
    },
  });
}

/** A real server on a free port with a database of its own. */
export async function startServer(options: ServerOptions = {}): Promise<TestServer> {
  const { variables = {}, databaseUrl, ...serviceOptions } = options;
  const database =
    databaseUrl === undefined ? await cloneDatabase() : { url: databaseUrl, drop: async () => undefined };
  const folder = mkdtempSync(join(tmpdir(), 'avow-data-'));
  const config = readConfig({
    ...{
      PORT: '0',
      HOST: '127.0.0.1',
      DATABASE_URL: database.url,
      DATA_DIR: folder,
      // Servers of one database need the same key.
      SECRETS_KEY: Buffer.alloc(32, 7).toString('base64'),
      RATE_LIMIT: 'off',
      // Suites make as many as they need on one site.
      VISITOR_WEBHOOKS_PER_SITE: '100',
      // As root, and in containers, Chromium's sandbox often cannot start; tests visit pages of their own only.
      SCAN_SANDBOX: process.env.SCAN_SANDBOX ?? (process.getuid?.() === 0 ? 'off' : 'on'),
      LOG_LEVEL: 'silent',
    },
    ...variables,
  });
  const service = Service.create(config as Config & { databaseUrl: string }, {
    log: createLogger(config.logLevel),
    validateResponses: true,
    // So that records of every suite are read in both forms: with texts, and with words for them.
    words: { sightings: 1, pace: 20 },
    ...serviceOptions,
  });
  const { db, visitorDb } = service.context;
  const wrong = [...[db, visitorDb].map(watchSecondConnections), watchTurns(service.context)];
  await service.start();
  const url = `http://127.0.0.1:${service.port}`;
  const visitor = createAvow({ baseUrl: url, fetch: checkedFetch, retries: 0 });
  const person = async (name = 'Ada Owner') => {
    const email = `${randomUUID()}@example.com`;
    const passwordHash = await hashOnce();
    const made = { email, name, passwordHash, isVerified: true };
    const { id } = await createUser(service.context.db, made);
    const { token } = await service.context.tokens.issue(id, undefined, { how: 'password' });
    return {
      client: createAvow({ baseUrl: url, token, fetch: checkedFetch, retries: 0 }),
      userId: id,
      email,
    };
  };
  return {
    url,
    databaseUrl: database.url,
    service,
    visitor,
    person,
    site: async (settings) => {
      const owner = await person();
      const body = { name: 'Example shop', domain: 'shop.example.com', ...(settings && { settings }) };
      const { token } = await owner.client.createEnvironment({ body });
      return { ...owner, token };
    },
    stop: async () => {
      await service.destroy();
      await database.drop();
      rmSync(folder, { recursive: true, force: true });
      if (wrong.flat().length > 0) throw new Error(wrong.flat().join('\n'));
    },
  };
}

/** Hashing is slow on purpose: once for all test people. */
const hashOnce = (): Promise<string> => kept('hash of the password', () => hashPassword(PASSWORD));

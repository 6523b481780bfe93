import { fork } from 'node:child_process';
import { join } from 'node:path';
import type { TestServer } from '../server';

/** Answers that are not as they should be, until others are set. */
export interface Faults {
  /** Claims of the ID token that are replaced before it is signed. */
  claims?: Record<string, unknown>;
  /** The ID token is signed with a key that the provider does not publish. */
  otherKey?: boolean;
  /** Requests are not answered. */
  silent?: boolean;
  /** Every answer has four megabytes. */
  huge?: boolean;
  /** Every answer is 500. */
  failing?: boolean;
}

/** A person of the provider: what it says of them. */
export interface Person {
  email?: string;
  email_verified?: boolean;
  name?: string;
  groups?: string[];
}

/** A real OpenID provider in a process of its own. */
export interface TestProvider {
  issuer: string;
  /** The variables of a server that trusts it, under this name. */
  variables(name: string, more?: Record<string, string>): Record<string, string>;
  people(people: Record<string, Person>): Promise<void>;
  faults(faults: Faults): Promise<void>;
  /** Registers the server under this name, as its console says. */
  register(name: string, server: Pick<TestServer, 'url'>): Promise<void>;
  /** A logout token with these claims (OpenID Connect Back-Channel Logout 1.0 § 2.4); null takes one away. */
  logoutToken(claims: Record<string, unknown>): Promise<string>;
  /** A new key replaces the old one. */
  rotate(): Promise<void>;
  /** Requests by path since this was asked last. */
  asked(): Promise<Record<string, number>>;
  stop(): Promise<void>;
}

export const CLIENT = { id: 'avow', secret: 'a secret of thirty-two characters' };

export async function startProvider(): Promise<TestProvider> {
  const child = fork(join(__dirname, 'openid-server.mjs'), {
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    // It asks for a newer Node and for a real database, and works for tests with neither.
    env: { ...process.env, NODE_NO_WARNINGS: '1' },
  });
  let complaints = '';
  child.stderr?.on('data', (text) => {
    complaints += text;
  });
  const waiting = new Map<number, (answer: unknown) => void>();
  let count = 0;
  const issuer = await new Promise<string>((resolve, reject) => {
    child.once('exit', () => reject(new Error(`the provider ended: ${complaints}`)));
    waiting.set(0, (answer) => resolve(answer as string));
    child.on('message', ({ id, answer }: { id: number; answer: unknown }) => waiting.get(id)?.(answer));
  });
  const tell = <Answer>(command: string, value?: unknown): Promise<Answer> =>
    new Promise((resolve) => {
      count += 1;
      waiting.set(count, resolve as (answer: unknown) => void);
      child.send({ id: count, command, value });
    });
  return {
    issuer,
    variables: (name, more = {}) => ({
      [`OIDC_${name.toUpperCase()}_ISSUER`]: issuer,
      [`OIDC_${name.toUpperCase()}_CLIENT_ID`]: CLIENT.id,
      [`OIDC_${name.toUpperCase()}_CLIENT_SECRET`]: CLIENT.secret,
      [`OIDC_${name.toUpperCase()}_EMAIL_DOMAINS`]: '*',
      ...more,
    }),
    people: (people) => tell('people', people),
    faults: (faults) => tell('faults', faults),
    register: (name, { url }) =>
      tell('clients', [
        {
          client_id: CLIENT.id,
          client_secret: CLIENT.secret,
          redirect_uris: [`${url}/console/sign-on/${name}`],
          post_logout_redirect_uris: [`${url}/console/login`],
          backchannel_logout_uri: `${url}/api/auth/sign-on/${name}/logout`,
          backchannel_logout_session_required: true,
        },
      ]),
    logoutToken: (claims) => tell('logoutToken', claims),
    rotate: () => tell('rotate'),
    asked: () => tell('asked'),
    stop: () =>
      new Promise((resolve) => {
        child.once('exit', () => resolve());
        child.disconnect();
      }),
  };
}

/**
 * The provider of a suite. It runs before the server that follows in the file, whose variables it fills, and knows
 * people that nobody has named: they are verified, and staff.
 */
export function useProvider(name: string): { variables: Record<string, string>; running(): TestProvider } {
  let provider: TestProvider | undefined;
  const variables: Record<string, string> = {};
  beforeAll(async () => {
    provider = await startProvider();
    const access = `OIDC_${name.toUpperCase()}_ACCESS`;
    Object.assign(variables, provider.variables(name, { OIDC_PROVIDERS: name, [access]: 'account staff' }));
  });
  afterAll(() => provider?.stop());
  return {
    variables,
    running: () => {
      if (provider === undefined) throw new Error('the provider runs only during the tests and their hooks');
      return provider;
    },
  };
}

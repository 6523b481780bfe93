import { authenticate, inTurnOfLookUps } from '../../server/src/http/authenticate';
import { RateLimiter } from '../../server/src/http/rate-limit';
import { storeKey } from '../../server/src/services/api-keys';
import { useServer } from '../helpers/server';
import { until } from '../helpers/until';

jest.setTimeout(60_000);

const server = useServer({ variables: { ROLE: 'api' } });
const context = () => server.service.context;
const from = { address: '203.0.113.1' };

const ask = (token: string, limiter?: RateLimiter) =>
  authenticate(context(), { headers: { authorization: `Bearer ${token}` } } as never, { ...from, limiter });

/** Takes both turns of look-ups until it is told to end. */
function holdTurns(): () => Promise<void> {
  let end = (): void => undefined;
  const gate = new Promise<void>((resolve) => {
    end = resolve;
  });
  const holder = { userId: -1, group: -1, byInvited: false, patience: { left: 60_000 } };
  const held = Promise.all([1, 2].map(() => inTurnOfLookUps(holder as never, () => gate)));
  return async () => {
    end();
    await held;
  };
}

/** Accounts of one group besides the one that began it. */
async function accountsOf(group: number, count: number, by_invited = false): Promise<number[]> {
  const now = new Date();
  const rows = Array.from({ length: count }, (_, n) => {
    const email = `of-${group}-${n}@example.com`;
    return {
      ...{ id: group * 10_000 + n, email, email_key: email, name: email, sponsor_id: group },
      ...{ by_invited, tokens_valid_from: now, created_at: now },
    };
  });
  await context().db('users').insert(rows);
  return rows.map(({ id }) => id);
}

const keyOf = async (user_id: number): Promise<string> => {
  const none = { environment_id: null, networks: [], expires_at: null };
  const { db } = context();
  return (await storeKey(context(), db, { user_id, name: 'many', scopes: ['events:read'], ...none })).key;
};

/** Asks with all of them once, a few at a time, so that the server has seen them. */
async function showAll(tokens: readonly string[]): Promise<void> {
  for (let at = 0; at < tokens.length; at += 50)
    await Promise.all(tokens.slice(at, at + 50).map((token) => ask(token).catch(() => undefined)));
}

/** What becomes of people of other groups while all of these wait at once: known ones, a newcomer, a key. */
async function othersBeside(tokens: readonly string[]): Promise<string[]> {
  await showAll(tokens);
  const [owner, maker, newcomer] = [await server.site(), await server.person(), await server.person()];
  const key = await keyOf(maker.userId);
  await ask(key);
  const release = holdTurns();
  let refused = 0;
  const crowd = tokens.map((token) =>
    ask(token).then(
      () => undefined,
      () => {
        refused += 1;
      },
    ),
  );
  await until('what is too much of them is refused', () => refused >= tokens.length - 400);
  const outcomes = ['waits', 'waits', 'waits'];
  const others = [owner.client.getEnvironment({ token: owner.token }), newcomer.client.getMe(), ask(key)].map(
    (answer, n) =>
      answer.then(
        () => outcomes.splice(n, 1, 'answered'),
        ({ status }) => outcomes.splice(n, 1, `refused with ${status}`),
      ),
  );
  // A newcomer waits for no turn of the others.
  await until('the newcomer is answered, or refused', () => outcomes[1] !== 'waits');
  await release();
  await Promise.all([...others, ...crowd]);
  return outcomes;
}

const ANSWERED = ['answered', 'answered', 'answered'];

test('however many keys of one group ask at once, other groups are answered', async () => {
  const { userId } = await server.person();
  const makers = [userId, ...(await accountsOf(userId, 8))];
  const keys: string[] = [];
  for (const maker of makers) for (let n = 0; n < 50; n += 1) keys.push(await keyOf(maker));
  expect(await othersBeside(keys)).toEqual(ANSWERED);
});

test('however many logins of one group ask at once, other groups are answered', async () => {
  const { userId } = await server.person();
  const { tokens } = context();
  const logins: string[] = [];
  for (const id of await accountsOf(userId, 450)) logins.push((await tokens.issue(id)).token);
  expect(await othersBeside(logins)).toEqual(ANSWERED);
});

test('however many accounts invited ones have invited, those of their group whom they did not are answered', async () => {
  const founder = await server.person();
  const { tokens } = context();
  const loginOf = async (id: number): Promise<string> => (await tokens.issue(id)).token;
  const [invited = 0, ...others] = await accountsOf(founder.userId, 121, true);
  await context().db('users').where({ id: invited }).update({ by_invited: false });
  const logins = await Promise.all(others.map(loginOf));
  const honest = [await loginOf(founder.userId), await loginOf(invited)];
  await showAll([...honest, ...logins]);
  const release = holdTurns();
  let refused = 0;
  const crowd = logins.map((token) =>
    ask(token).catch(() => {
      refused += 1;
    }),
  );
  await until('the group waits as much as it may', () => refused === 20);
  const answers = honest.map((token) => ask(token));
  // Whoever comes now takes the place of one of them.
  await until('two more of them are refused', () => refused === 22);
  await release();
  expect((await Promise.all(answers)).map(({ userId }) => userId)).toEqual([founder.userId, invited]);
  await Promise.all(crowd);
});

test('logins that have ended make nobody a newcomer again', async () => {
  const { userId } = await server.person();
  const { tokens, db } = context();
  const { token } = await tokens.issue(userId);
  await db('users').where({ id: userId }).update({ disabled_at: new Date() });
  await expect(ask(token)).rejects.toMatchObject({ status: 401 });
  const release = holdTurns();
  let isOver = false;
  const again = ask(token).catch(() => {
    isOver = true;
  });
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(isOver).toBe(false);
  await release();
  await again;
});

describe('limits', () => {
  /** An owner and a key have five times as much as an address, and all keys of an account four times that. */
  const limiter = () => new RateLimiter({ perAddress: 1, perSite: 1_000 });
  const asked: string[] = [];
  const note = ({ sql }: { sql: string }): unknown => asked.push(sql);
  beforeEach(() => {
    asked.length = 0;
    context().db.on('query', note);
  });
  afterEach(() => context().db.removeListener('query', note));

  test('a key that has too much is refused before it is looked up', async () => {
    const key = await keyOf((await server.person()).userId);
    const limits = limiter();
    for (let n = 0; n < 5; n += 1) await ask(key, limits);
    asked.length = 0;
    await expect(ask(key, limits)).rejects.toMatchObject({ status: 429 });
    expect(asked).toEqual([]);
  });

  test('all keys of an account have a limit together, and leave its login alone', async () => {
    const { userId } = await server.person();
    const limits = limiter();
    for (let n = 0; n < 4; n += 1) {
      const key = await keyOf(userId);
      for (let i = 0; i < 5; i += 1) await ask(key, limits);
    }
    const next = await keyOf(userId);
    await expect(ask(next, limits)).rejects.toMatchObject({ status: 429 });
    await ask(next);
    asked.length = 0;
    await expect(ask(next, limits)).rejects.toMatchObject({ status: 429 });
    expect(asked).toEqual([]);
    await ask((await context().tokens.issue(userId)).token, limits);
  });

  test('who may do what at a site is checked without its settings', async () => {
    const { client, token } = await server.site();
    asked.length = 0;
    // Refused before its body is read, and looked at again for its answer.
    await client.updateEnvironment({ token, body: { name: 'Renamed' } });
    const looks = asked.filter((sql) => sql.includes('join "members"'));
    const whole = looks.filter((sql) => sql.includes('"environments".*'));
    expect([whole.length, looks.length > whole.length]).toEqual([1, true]);
  });
});

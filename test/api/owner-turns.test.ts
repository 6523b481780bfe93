import { randomUUID } from 'node:crypto';
import { useServer } from '../helpers/server';
import { until } from '../helpers/until';

const server = useServer({ variables: { ROLE: 'api' } });

/** Something that hangs until it is told to end, and how many have begun it. */
function hanging() {
  let end = (): void => undefined;
  const gate = new Promise<void>((resolve) => {
    end = resolve;
  });
  return { gate, end };
}

test('however much one group of accounts asks for at once, others are answered', async () => {
  const [busy, other] = [await server.site(), await server.site()];
  const { db } = server.service.context;
  const { gate, end } = hanging();
  const { id } = await db('environments').where({ token: busy.token }).first('id');
  const locked = db.transaction(async (trx) => {
    await trx('environments').where({ id }).forUpdate();
    await gate;
  });
  let answered = 0;
  const crowd = Array.from({ length: 20 }, (_, n) =>
    busy.client.updateEnvironment({ token: busy.token, body: { name: `Shop ${n}` } }).finally(() => {
      answered += 1;
    }),
  );
  const { pool } = db.client;
  await until('they wait for the lock', () => pool.numUsed() >= 5);
  expect((await other.client.getEnvironment({ token: other.token })).token).toBe(other.token);
  expect(answered).toBe(0);
  end();
  await Promise.all([locked, ...crowd]);
});

test('whoever has slow domains checked leaves room for the checks of others', async () => {
  const { gate, end } = hanging();
  let begun = 0;
  const { context } = server.service;
  const { proveDomain } = context;
  context.proveDomain = async ({ domain }) => {
    if (domain.startsWith('fast')) return 'dns';
    begun += 1;
    await gate;
    return undefined;
  };
  try {
    const [busy, other] = [await server.person(), await server.person()];
    const names = Array.from({ length: 6 }, (_, n) => `slow${n}.${randomUUID()}.example.com`);
    const [domain, ...domains] = names as [string, ...string[]];
    const { token } = await busy.client.createEnvironment({ body: { name: 'Slow', domain, domains } });
    const checks = names.map((name) => busy.client.checkDomain({ token, body: { domain: name } }));
    await until('they are at work', () => begun >= 2);
    const fast = `fast.${randomUUID()}.example.com`;
    const site = await other.client.createEnvironment({ body: { name: 'Fast', domain: fast } });
    const proof = await other.client.checkDomain({ token: site.token, body: { domain: fast } });
    expect(proof.proven).toBe(true);
    expect(begun).toBe(2);
    end();
    await Promise.all(checks);
  } finally {
    end();
    context.proveDomain = proveDomain;
  }
});

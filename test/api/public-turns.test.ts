import pg from 'pg';
import { FairTurns } from '../../server/src/domain/fair-turns';
import { post } from '../helpers/http/raw';
import { useServer } from '../helpers/server';
import { until } from '../helpers/until';

const server = useServer({ variables: { DATABASE_POOL: '2', TRUST_PROXY: '1' } });

test('a flood from the networks of one block keeps neither others nor other sites waiting', async () => {
  const [one, other] = [await server.site(), await server.site()];
  const database = new pg.Client(server.databaseUrl);
  await database.connect();
  const taken = jest.spyOn(FairTurns.prototype, 'take');
  const answered: string[] = [];
  const submit = async (who: string, token: string, address: string) => {
    const body = { request_type: 'access', email: 'visitor@example.com' };
    const { status } = await post(server.url, `/api/dsar/${token}`, body, { 'X-Forwarded-For': address });
    answered.push(`${who} ${status}`);
  };
  // Nothing is stored until all of them wait.
  await database.query('BEGIN; LOCK TABLE dsar_requests IN ACCESS EXCLUSIVE MODE');
  const flood = Array.from({ length: 20 }, (_, i) => submit('flood', one.token, `2001:db8:1:${i}::1`));
  await until('the flood waits', () => taken.mock.calls.length === 20);
  const others = [
    submit('other person', one.token, '2001:db8:2::1'),
    submit('other site', other.token, '2001:db8:1:1::1'),
  ];
  await until('the others wait', () => taken.mock.calls.length === 22);
  await database.query('ROLLBACK');
  await Promise.all([...flood, ...others]);
  await database.end();
  taken.mockRestore();
  expect(answered.slice(0, 6)).toEqual(expect.arrayContaining(['other person 201', 'other site 201']));
});

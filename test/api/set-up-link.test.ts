import { prepareFirstRun } from '../../server/src/runtime/first-run';
import { PASSWORD, useServer } from '../helpers/server';

const server = useServer();
const db = () => server.service.context.db('invitations');
const printed = async (): Promise<string | undefined> =>
  (await prepareFirstRun(server.service.context)).setupCode;
const open = (code = '') =>
  server.visitor.acceptInvitation({ body: { code, password: PASSWORD, email: 'first@example.com' } });

test('the set-up link that one start printed stays, and the next starts print it again', async () => {
  const first = await printed();
  expect(first).toMatch(/^[\w-]{43}$/);
  expect([await printed(), await printed()]).toEqual([first, first]);
  expect(await db().whereNull('user_id')).toHaveLength(1);
});

test('another one comes when it has expired, or when its key is not that of the server', async () => {
  const first = await printed();
  await db().update({ expires_at: new Date(Date.now() - 1000) });
  const second = await printed();
  expect(second).not.toBe(first);
  await expect(open(first)).rejects.toMatchObject({ status: 404 });
  await db().update({ code_hash: Buffer.alloc(32, 7) });
  const third = await printed();
  expect(third).not.toBe(second);
  expect(await db()).toHaveLength(1);
});

test('once it is used there is none', async () => {
  const code = await printed();
  await open(code);
  expect([await printed(), await db()]).toEqual([undefined, []]);
  await expect(open(code)).rejects.toMatchObject({ status: 404 });
});

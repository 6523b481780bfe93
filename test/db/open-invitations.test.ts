import type { Knex } from 'knex';
import { connect } from '../../server/src/db/knex';
import * as migration from '../../server/src/db/migrations/20261122110000_site_invitations';
import { cloneDatabase } from '../helpers/database';

let database: Awaited<ReturnType<typeof cloneDatabase>>;
let db: Knex;

beforeEach(async () => {
  database = await cloneDatabase();
  db = connect(database.url, 2);
  await migration.down(db);
});
afterEach(async () => {
  await db.destroy();
  await database.drop();
});

const NOW = new Date();
const LATER = new Date(NOW.getTime() + 86_400_000);

async function user(id: number, password_hash: string | null): Promise<void> {
  const email = `u${id}@example.com`;
  const dates = { tokens_valid_from: NOW, created_at: NOW };
  await db('users').insert({ id, email, email_key: email, name: `U${id}`, password_hash, ...dates });
}

async function site(n: number, members: Record<number, string>): Promise<string> {
  const id = `00000000-0000-7000-8000-00000000000${n}`;
  await db('environments').insert({
    ...{ id, token: `env_${n}`, name: 'S', domain: 's.example', domains: [], url: 'http://s.example' },
    ...{ status: 'active', settings: {}, settings_version: 1, created_at: NOW, updated_at: NOW },
  });
  for (const [user_id, role] of Object.entries(members))
    await db('members').insert({ environment_id: id, user_id: Number(user_id), role, added_at: NOW });
  return id;
}

test('open invitations move to their sites; a link of several sites ends, and the operator’s stays', async () => {
  await user(1, 'hash');
  for (const id of [2, 3, 4]) await user(id, null);
  const one = await site(1, { 1: 'owner', 2: 'viewer', 3: 'operator', 4: 'owner' });
  const two = await site(2, { 1: 'owner', 3: 'viewer' });
  const link = (user_id: number, made_by: number | null) =>
    db('invitations').insert({ code_hash: Buffer.from([user_id]), user_id, made_by, expires_at: LATER });
  await link(2, 1);
  await link(3, 1);
  await link(4, null);
  await migration.up(db);
  const moved = await db('site_invitations').orderBy(['user_id', 'environment_id']);
  expect(
    moved.map(({ user_id, environment_id, role, code_hash }) => [user_id, environment_id, role, code_hash]),
  ).toEqual([
    [2, one, 'viewer', Buffer.from([2])],
    [3, one, 'operator', null],
    [3, two, 'viewer', null],
  ]);
  expect(moved[0]).toMatchObject({ email: 'u2@example.com', name: 'U2', made_by: 1, expires_at: LATER });
  expect(await db('members').orderBy('user_id').pluck('user_id')).toEqual([1, 1, 4]);
  expect(await db('invitations').pluck('user_id')).toEqual([4]);
});

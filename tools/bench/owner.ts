import { connect } from '../../server/src/db/knex';
import { MemberRow } from '../../server/src/db/models';
import { Tokens } from '../../server/src/security/tokens';
import { createUser } from '../../server/src/services/accounts';
import type { Database } from './database';

/** Settings with which a server accepts the benchmark's own bearer tokens. */
export const FIXED_SECRET = { JWT_SECRET: 'benchmark '.repeat(8) };

/** Makes a person who owns every site, and returns a bearer token of theirs. */
export async function makeOwner({ url, sql }: Database): Promise<string> {
  const knex = connect(url, 1);
  try {
    const person = { email: 'owner@example.com', name: 'Owner', passwordHash: null };
    const { id } = await createUser(knex, person);
    const sites = await sql<{ id: string }>('SELECT id FROM environments');
    const added_at = new Date();
    await MemberRow.query(knex).insert(
      sites.map((site) => ({ environment_id: site.id, user_id: id, role: 'owner' as const, added_at })),
    );
    const { token } = await new Tokens(FIXED_SECRET.JWT_SECRET).issue(id);
    return token;
  } finally {
    await knex.destroy();
  }
}

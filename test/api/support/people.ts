import type { Role } from '../../../server/src/domain/types';
import type { Client, TestServer } from '../../helpers/server';

/** An environment and a client of its owner. */
export interface Owned {
  client: Client;
  token: string;
}

/** A new person with a role in somebody's environment. */
export async function member(
  server: TestServer,
  { client, token }: Owned,
  role: Role,
): Promise<{ client: Client; email: string }> {
  const person = await server.person();
  await client.addMember({ token, body: { email: person.email, role } });
  return person;
}

/** The rows of a table that belong to an environment. */
export const rowsIn = (server: TestServer, table: string, token: string) =>
  server.service.context
    .db(table)
    .whereIn('environment_id', server.service.context.db('environments').where({ token }).select('id'));

import type { Role } from '../../../server/src/domain/types';
import type { Client, TestServer } from '../server';

/** An environment and a client of its owner. */
export interface Owned {
  client: Client;
  token: string;
}

/** Somebody with an account. */
interface Person {
  client: Client;
  email: string;
}

/** The code behind a one-time link. */
export const codeOf = (link: string | undefined): string => link?.split('#')[1] as string;

/** Invites somebody who has an account, who then accepts. */
export async function join({ client, token }: Owned, person: Person, role: Role): Promise<void> {
  const { invitation_url } = await client.addMember({ token, body: { email: person.email, role } });
  await person.client.joinEnvironment({ body: { code: codeOf(invitation_url) } });
}

/** A new person with a role in somebody's environment. */
export async function member(
  server: TestServer,
  owned: Owned,
  role: Role,
): Promise<Awaited<ReturnType<TestServer['person']>>> {
  const person = await server.person();
  await join(owned, person, role);
  return person;
}

/** The rows of a table that belong to an environment. */
export const rowsIn = (server: TestServer, table: string, token: string) =>
  server.service.context
    .db(table)
    .whereIn('environment_id', server.service.context.db('environments').where({ token }).select('id'));

import type { Schemas } from '@avow/sdk';
import type { TestServer } from '../../helpers/server';
import type { Someone } from './console';

/** Somebody else who works on this site. */
export async function colleague(
  server: TestServer,
  owner: Someone,
  token: string,
  role: Schemas['Role'],
): Promise<Someone> {
  const person = await server.person(role === 'viewer' ? 'Vera Viewer' : 'Otto Operator');
  await owner.client.addMember({ token, body: { email: person.email, role } });
  return person;
}

import type { Schemas } from '@avow/sdk';
import type { TestServer } from '../server';
import { join } from '../site/people';
import type { Someone } from './console';

/** Somebody else who works on this site. */
export async function colleague(
  server: TestServer,
  owner: Someone,
  token: string,
  role: Schemas['Role'],
): Promise<Someone> {
  const person = await server.person(role === 'viewer' ? 'Vera Viewer' : 'Otto Operator');
  await join({ client: owner.client, token }, person, role);
  return person;
}

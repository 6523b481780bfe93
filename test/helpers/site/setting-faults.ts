import { refusal } from '../http/refusal';
import type { TestServer } from '../server';

/** Places and messages of what is wrong with a change of settings of a new site; places without what all of them begin with. */
export async function settingFaults(
  server: TestServer,
  settings: object,
  { first = {}, below = '' }: { first?: object; below?: string } = {},
): Promise<[string, string][]> {
  const { client, token } = await server.site(first);
  const { status, errors } = await refusal(client.updateEnvironment({ token, body: { settings } as never }));
  expect(status).toBe(400);
  return errors.map(({ path, message }) => [path.replace(`body.settings.${below}`, ''), message]);
}

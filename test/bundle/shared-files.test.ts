import { BundleFiles } from '../../server/src/bundles/files';
import { useServer } from '../helpers/server';
import { until } from '../helpers/until';

const server = useServer({ variables: { ROLE: 'api' } });

test('a file that was pushed out of memory while it is sent is found again, and not made a second time', async () => {
  const { db } = server.service.context;
  const files = new BundleFiles(db, 1);
  const { client, token, userId } = await server.site();
  const { id: environmentId } = await db('environments').where({ token }).first('id');
  const one = (await client.generateBundle({ token, body: {} })).hash;
  await client.updateEnvironment({ token, body: { settings: { consent_lifetime_days: 90 } } });
  const other = (await client.generateBundle({ token, body: {} })).hash;
  const wanted = (hash: string) => ({
    ...{ environmentId, maker: String(userId), hash, part: 'vendors' as const },
  });
  // As it stays: compressed well.
  const sent = await until('it is packed', async () => {
    const file = await files.find(wanted(one));
    return file?.etags.br.includes('-soon') ? undefined : file;
  });
  expect(await files.find(wanted(other))).toBeDefined();
  const again = await files.find(wanted(one));
  expect(again?.bodies.identity).toBe(sent.bodies.identity);
  await files.stop();
});

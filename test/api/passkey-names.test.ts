import { SIGN_IN } from '../helpers/audit/sign-in';
import { ownedSite } from '../helpers/http/contract-requests';
import { clientOf } from '../helpers/second-factor';
import { useServer } from '../helpers/server';

const server = useServer({ variables: { ROLE: 'api' } });

/** Somebody with a passkey, which is called `a laptop`. */
async function withPasskey() {
  // Browsers make passkeys for names, not for addresses.
  server.service.context.config.publicUrl = server.url.replace('127.0.0.1', 'localhost');
  const { bearer = '', path } = (await SIGN_IN.renamePasskey?.(server, await ownedSite(server))) ?? {};
  return { client: clientOf(server, bearer), passkey_id: path?.passkey_id ?? '' };
}

test('a passkey gets another name, which no other session and no log-in notices', async () => {
  const { client, passkey_id } = await withPasskey();
  const renamed = await client.renamePasskey({ passkey_id, body: { name: 'My work laptop' } });
  expect(renamed).toMatchObject({ passkey_id, name: 'My work laptop' });
  expect((await client.getSecondFactors()).passkeys).toEqual([renamed]);
  // The same name again is no change.
  await client.renamePasskey({ passkey_id, body: { name: 'My work laptop' } });
  const { items } = await client.listAccountEvents({});
  const own = items.filter(({ operation }) => operation === 'renamePasskey');
  expect(own.map(({ changes }) => changes)).toEqual([
    [{ field: 'name', before: 'a laptop', after: 'My work laptop', truncated: false }],
  ]);
});

test('nobody renames the passkey of somebody else, and a name can be read', async () => {
  const [one, two] = [await withPasskey(), await withPasskey()];
  const name = 'Mine now';
  const foreign = one.client.renamePasskey({ passkey_id: two.passkey_id, body: { name } });
  await expect(foreign).rejects.toMatchObject({ status: 404 });
  for (const bad of [' \u200b', 'x'.repeat(101)])
    await expect(
      one.client.renamePasskey({ passkey_id: one.passkey_id, body: { name: bad } }),
    ).rejects.toMatchObject({ status: 400 });
});

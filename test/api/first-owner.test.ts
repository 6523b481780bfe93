import { createAvow } from '@avow/sdk';
import { checkedFetch } from '../helpers/contract';
import { PASSWORD, useServer } from '../helpers/server';

const email = 'first@example.com';
/** Nothing is sent: that addresses must be verified is enough. */
const MAIL = { SMTP_URL: 'smtps://127.0.0.1:9', MAIL_FROM: 'avow@avow.example', ROLE: 'api' };
const server = useServer({ variables: { ...MAIL, ADMIN_EMAIL: email, ADMIN_PASSWORD: PASSWORD } });

test('the first owner that the operator names makes a site, also where mails are sent', async () => {
  const owner = createAvow({
    ...{ baseUrl: server.url, credentials: { email, password: PASSWORD } },
    ...{ fetch: checkedFetch, retries: 0 },
  });
  const body = { name: 'Example shop', domain: 'shop.example.com' };
  expect(await owner.createEnvironment({ body })).toMatchObject({ name: 'Example shop' });
});

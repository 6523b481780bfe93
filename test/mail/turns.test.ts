import { MailTurns } from '../../server/src/mail/mail-turns';
import { type NewMail, queueMail } from '../../server/src/mail/queue-mail';
import { CERTIFICATE, sendingTo, startMailServer } from '../helpers/mail/mail-server';
import { startServer } from '../helpers/server';

jest.setTimeout(60_000);

/** The next so many turns, with room for two sites in each look. */
function served(tenants: { site: string; account: string }[], looks: number): string[] {
  const turns = new MailTurns();
  const all: string[] = [];
  for (let look = 0; look < looks; look += 1) {
    let room = 2;
    for (const { site } of turns.inOrder(tenants)) {
      if (room === 0) break;
      room -= 1;
      all.push(site);
    }
  }
  return all;
}

test('accounts take turns, then the sites of an account, however many sites it has', () => {
  const rival = Array.from({ length: 50 }, (_, n) => ({ site: `rival ${n}`, account: '1' }));
  const turns = served([...rival, { site: 'shop', account: '2' }, { site: '', account: '' }], 3);
  expect(turns).toEqual(['rival 0', 'shop', '', 'rival 1', 'shop', '']);
});

test('a line without a place keeps its turn, and is not looked at again', () => {
  const turns = new MailTurns();
  const lines = ['first', 'second', 'third'].map((site) => ({ site, account: site }));
  let looked = 0;
  const next = (without: string) => {
    const hasPlace = ({ site }: { site: string }) => {
      looked += 1;
      return site !== without;
    };
    return [...turns.inOrder(lines, hasPlace)].map(({ site }) => site);
  };
  expect(next('first')).toEqual(['second', 'third']);
  expect(looked).toBe(3);
  expect(next('')).toEqual(['first', 'second', 'third']);
});

test('each line is looked at once, however many there are, and by its own turn alone', () => {
  const turns = new MailTurns();
  const lines = Array.from({ length: 2_000 }, (_, n) => ({ site: `${n}`, account: `${n % 20}` }));
  let looked = 0;
  const hasPlace = () => {
    looked += 1;
    return true;
  };
  expect([...turns.inOrder(lines, hasPlace)]).toEqual(lines);
  expect(looked).toBe(lines.length);
});

test('of too many to remember only the oldest turns are forgotten', () => {
  const turns = new MailTurns();
  const lines = Array.from({ length: 6_000 }, (_, n) => ({ site: `${n}`, account: `of ${n}` }));
  expect([...turns.inOrder(lines)]).toHaveLength(6_000);
  const fresh = { site: 'fresh', account: 'of fresh' };
  // The last 5,000 are remembered, with their accounts.
  for (const known of [1_001, 4_000, 5_999].map((n) => lines[n] as (typeof lines)[number]))
    expect(turns.inOrder([known, fresh]).next().value).toBe(fresh);
});

test('the mails of one account with many sites keep no mail of another waiting', async () => {
  const mailServer = await startMailServer();
  const server = await startServer({
    variables: { ...sendingTo(mailServer.url), ROLE: 'api' },
    mail: { ca: CERTIFICATE },
  });
  const sending = await startServer({
    ...{ databaseUrl: server.databaseUrl, mail: { ca: CERTIFICATE } },
    variables: { ...sendingTo(mailServer.url), ROLE: 'api' },
  });
  try {
    const { context } = server.service;
    const rival = await server.person();
    const body = { name: 'Rival', domain: 'rival.example.com' };
    const sites = [];
    for (let n = 0; n < 3; n += 1) sites.push((await rival.client.createEnvironment({ body })).token);
    const rows: { id: string }[] = await context.db('environments').whereIn('token', sites).select('id');
    const queue = (to: string, more: Partial<NewMail>) =>
      context.db.transaction((trx) =>
        queueMail(context.mail, trx, {
          ...{ kind: 'request_answered', audience: 'visitor', cause: undefined },
          content: { to, subject: to, text: to, html: to },
          ...more,
        }),
      );
    for (let n = 0; n < 60; n += 1)
      for (const { id } of rows) await queue(`${n}@rival.example`, { environmentId: id });
    await queue('waits@victim.example', {
      kind: 'password_reset',
      audience: 'account',
      userId: rival.userId,
    });
    // As a process with that role does it; before, none has sent.
    sending.service.context.mailSender.start();
    await mailServer.until(1, 'waits@victim.example');
    expect(mailServer.mails.length).toBeLessThan(40);
  } finally {
    await sending.stop();
    await server.stop();
    await mailServer.stop();
  }
});

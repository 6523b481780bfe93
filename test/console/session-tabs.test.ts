import type { Page } from 'playwright-core';
import { describeInBrowser } from '../helpers/browser/browser';
import { useConsole } from '../helpers/console/console';
import { endSession } from '../helpers/console/end-session';
import { keep, keptSession } from '../helpers/console/kept-session';
import { clientOf } from '../helpers/second-factor';
import { PASSWORD } from '../helpers/server';
import { someRequest } from '../helpers/site/attachments';
import { until } from '../helpers/until';

jest.setTimeout(120_000);

const MINUTE = 60_000;
const ELSEWHERE = 'Somebody logged in elsewhere in the meantime, so this was not done. Try again.';

const logIn = async (page: Page, email: string) => {
  await page.getByLabel('E-mail address').fill(email);
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByLabel('Password').press('Enter');
};

const invite = async (page: Page, email: string) => {
  await page.getByRole('button', { name: 'Add a person' }).click();
  await page.getByLabel('E-mail address').last().fill(email);
  await page
    .getByRole('button', { name: /^(Add|Invite)/ })
    .last()
    .click();
  await page.getByRole('heading', { name: 'Confirm that it is you' }).waitFor();
};

const prove = async (page: Page) => {
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Continue' }).click();
};

const logOut = async (page: Page) => {
  await page.getByRole('button', { name: 'Account' }).click();
  await page.getByRole('button', { name: 'Log out' }).click();
};

const stored = (page: Page): Promise<string | null> =>
  page.evaluate(() => sessionStorage.getItem('avow.session'));

describeInBrowser('the session in several tabs', () => {
  const kit = useConsole();
  type Owner = Awaited<ReturnType<typeof kit.server.site>>;

  const beside = async (page: Page, path: string) => {
    const other = await page.context().newPage();
    await other.goto(`${kit.server.url}/console${path}`);
    return other;
  };

  const isEnded = (token: string) => () =>
    clientOf(kit.server, token)
      .getMe()
      .then(
        () => false,
        ({ status }) => status === 401,
      );

  /** A session of another log-in, whose token no other tab has. */
  const anotherSession = async ({ userId, email }: Owner, minutes: number) => {
    const { tokens } = kit.server.service.context;
    const facts = { secondFactor: false, authenticatedAt: Date.now() - minutes * MINUTE };
    const { token, expiresAt } = await tokens.issue(userId, undefined, facts);
    return { token, expires_at: expiresAt.toISOString(), user: { id: userId, name: 'Ada Owner', email } };
  };

  /** The page of the members, logged in longer ago than what invites somebody permits. */
  const members = async () => {
    const owner = await kit.server.site();
    const page = await kit.open('/login');
    await page.evaluate(keep, keptSession(await anotherSession(owner, 16)));
    await page.goto(`${kit.server.url}/console/sites/${owner.token}/members`);
    const invited = async () =>
      (
        await clientOf(kit.server, (await anotherSession(owner, 0)).token).listMembers({ token: owner.token })
      ).items.map(({ email }) => email);
    return { owner, page, invited };
  };

  test('a proof in one tab does not carry out what another one has left waiting', async () => {
    const { owner, page, invited } = await members();
    await invite(page, 'left-waiting@example.com');
    const other = await beside(page, `/sites/${owner.token}/members`);
    await invite(other, 'wanted@example.com');
    await prove(other);
    await other.getByText('wanted@example.com').first().waitFor();
    await page.getByText(ELSEWHERE).waitFor();
    expect(await page.getByRole('heading', { name: 'Confirm that it is you' }).count()).toBe(0);
    expect(await page.getByLabel('E-mail address').last().inputValue()).toBe('left-waiting@example.com');
    expect(await invited()).toContain('wanted@example.com');
    expect(await invited()).not.toContain('left-waiting@example.com');
    // Whoever sits there sends it, and needs no second proof.
    await page
      .getByRole('button', { name: /^(Add|Invite)/ })
      .last()
      .click();
    await until('it is invited', async () => (await invited()).includes('left-waiting@example.com'));
  });

  test('nor does a log-in in the same tab that nobody told what waits, or another page', async () => {
    const { owner, page, invited } = await members();
    await invite(page, 'unseen@example.com');
    // Whatever asks next hears that the session has ended.
    await owner.client.revokeTokens();
    // As when somebody comes back to the window: lists are read again.
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
    const login = page.getByRole('dialog', { name: 'Log in again' });
    await login.waitFor();
    await login.getByLabel('Password').fill(PASSWORD);
    await login.getByRole('button', { name: 'Log in' }).click();
    await login.waitFor({ state: 'detached' });
    expect(await invited()).not.toContain('unseen@example.com');
    await page
      .getByRole('button', { name: /^(Add|Invite)/ })
      .last()
      .click();
    await until('it is invited', async () => (await invited()).includes('unseen@example.com'));
  });

  test('what waits ends with its page', async () => {
    const { page, owner, invited } = await members();
    await page.goto(`${kit.server.url}/console/sites/${owner.token}`);
    await page.getByRole('link', { name: 'Members' }).first().click();
    await invite(page, 'left@example.com');
    await page.goBack();
    await page.getByRole('heading', { name: 'Confirm that it is you' }).waitFor({ state: 'detached' });
    expect(await invited()).not.toContain('left@example.com');
  });

  test('nor does a log-in in another tab after the session has ended', async () => {
    const owner = await kit.server.site();
    const path = `/sites/${owner.token}/settings/measures`;
    const page = await kit.open(path, { as: owner });
    await page.getByRole('textbox', { name: 'Measures' }).fill('Backups');
    await endSession(page, owner);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('dialog', { name: 'Log in again' }).waitFor();
    const asked: string[] = [];
    page.on('request', (request) => void (request.method() === 'PATCH' && asked.push(request.url())));
    const other = await beside(page, path);
    await other.getByRole('dialog', { name: 'Log in again' }).getByLabel('Password').fill(PASSWORD);
    await other.getByRole('dialog').getByRole('button', { name: 'Log in' }).click();
    await page.getByText(ELSEWHERE).first().waitFor();
    await page.getByRole('dialog', { name: 'Log in again' }).waitFor({ state: 'detached' });
    expect(await page.getByRole('textbox', { name: 'Measures' }).inputValue()).toBe('Backups');
    expect(asked).toEqual([]);
  });

  test('what waits for five minutes is not done by a proof that comes later', async () => {
    const { page, invited } = await members();
    await page.getByRole('button', { name: 'Add a person' }).waitFor();
    await page.clock.install();
    await invite(page, 'too-late@example.com');
    await page.clock.fastForward(4 * MINUTE);
    await page.getByRole('heading', { name: 'Confirm that it is you' }).waitFor();
    await page.clock.fastForward(2 * MINUTE);
    await page.getByText('Nobody confirmed it within five minutes').waitFor();
    expect(await page.getByRole('heading', { name: 'Confirm that it is you' }).count()).toBe(0);
    expect(await page.getByLabel('E-mail address').last().inputValue()).toBe('too-late@example.com');
    expect(await invited()).not.toContain('too-late@example.com');
  });

  test('a tab that has left the console loses its session by a log-out in another one', async () => {
    const owner = await kit.server.site();
    const page = await kit.open(`/sites/${owner.token}`, { as: owner });
    await page.getByRole('heading', { name: 'Example shop' }).waitFor();
    const other = await beside(page, '/');
    await other.getByRole('button', { name: 'Account' }).waitFor();
    await page.goto(`${kit.server.url}/docs/`);
    // Its token may be an older one, which a log-out does not end.
    const { token } = await anotherSession(owner, 0);
    await page.evaluate((older) => {
      const session = JSON.parse(sessionStorage.getItem('avow.session') ?? '{}');
      sessionStorage.setItem('avow.session', JSON.stringify({ ...session, token: older }));
    }, token);
    await logOut(other);
    await other.getByRole('heading', { name: 'Log in' }).waitFor();
    await page.goBack();
    await page.getByRole('heading', { name: 'Log in' }).waitFor();
    expect(await stored(page)).toBeNull();
    await until('it is ended', isEnded(token));
    expect(await page.evaluate(() => JSON.stringify({ ...localStorage }))).toBe('{}');

    // Nor does the next log-in bring it back.
    await page.goto(`${kit.server.url}/docs/`);
    const late = await anotherSession(owner, 0);
    await logIn(other, owner.email);
    await other.getByRole('button', { name: 'Account' }).waitFor();
    await page.evaluate((text) => sessionStorage.setItem('avow.session', text), keptSession(late).session);
    await page.goBack();
    await until('it is ended', isEnded(late.token));
    // It has the session of the open tab instead.
    await page.getByRole('button', { name: 'Account' }).waitFor();
  });

  test('a page that comes back from the memory of the browser is logged out with the others', async () => {
    const owner = await kit.server.site();
    const page = await kit.open(`/sites/${owner.token}`, { as: owner });
    await page.getByRole('heading', { name: 'Example shop' }).waitFor();
    const comeBack = () =>
      page.evaluate(() => {
        dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }));
      });
    await comeBack();
    expect(await stored(page)).not.toBeNull();
    await page.evaluate(() => localStorage.clear());
    await comeBack();
    await page.getByRole('heading', { name: 'Log in' }).waitFor();
    expect(await stored(page)).toBeNull();
  });

  test.each([
    ['four minutes', 4, false, true],
    ['six minutes', 6, false, false],
    ['six minutes, put to sleep by the browser', 6, true, true],
  ])('a tab that is opened again after %s', async (_, minutes, wasDiscarded, isKept) => {
    const owner = await kit.server.site();
    const session = await anotherSession(owner, 0);
    const page = await kit.open('/login');
    if (wasDiscarded)
      await page.addInitScript(() => Object.defineProperty(document, 'wasDiscarded', { value: true }));
    await page.evaluate(keep, keptSession(session, minutes * MINUTE));
    await page.goto(`${kit.server.url}/console/sites/${owner.token}`);
    if (isKept) {
      await page.getByRole('heading', { name: 'Example shop' }).waitFor();
      return;
    }
    await page.getByRole('heading', { name: 'Log in' }).waitFor();
    expect(await stored(page)).toBeNull();
    await until('it is ended', isEnded(session.token));
  });

  test('an open tab says each minute, and when it is left, that it is there', async () => {
    const owner = await kit.server.site();
    const page = await kit.open(`/sites/${owner.token}`, { as: owner });
    await page.getByRole('heading', { name: 'Example shop' }).waitFor();
    const mark = () => page.evaluate((name) => localStorage.getItem(name), `avow.seen.${owner.userId}`);
    const age = async () => Date.now() - Number((await mark())?.split(' ')[1]);
    const grow = () =>
      page.evaluate((name) => {
        const [sitting, at] = localStorage.getItem(name)?.split(' ') ?? [];
        localStorage.setItem(name, `${sitting} ${Number(at) - 240_000}`);
      }, `avow.seen.${owner.userId}`);
    await grow();
    expect(await age()).toBeGreaterThan(3 * MINUTE);
    await page.goto(`${kit.server.url}/docs/`);
    expect(await age()).toBeLessThan(MINUTE);
    await page.clock.install();
    await page.goBack();
    await page.getByRole('heading', { name: 'Example shop' }).waitFor();
    const before = await mark();
    await page.clock.fastForward(MINUTE + 1_000);
    await until('it is seen', async () => (await mark()) !== before);
    // Without a mark it makes none: that was a log-out.
    await page.evaluate(() => localStorage.clear());
    await page.reload();
    await page.getByRole('heading', { name: 'Log in' }).waitFor();
  });

  test('guides and the verifier open beside the console, without its session', async () => {
    const owner = await kit.server.site();
    const page = await kit.open(`/sites/${owner.token}/evidence`, { as: owner });
    for (const name of ['Verify evidence', 'The guide', 'the page that checks it']) {
      if (name === 'Verify evidence') await page.getByRole('button', { name: 'Account' }).click();
      const opened = page.context().waitForEvent('page');
      await page.getByRole('link', { name, exact: true }).click();
      const other = await opened;
      await other.waitForLoadState();
      expect(new URL(other.url()).pathname).toMatch(/^\/(verify|docs\/)/);
      expect([await stored(other), await other.evaluate(() => window.opener)]).toEqual([null, null]);
      await other.close();
      await page.keyboard.press('Escape');
    }
    expect(new URL(page.url()).pathname).toBe(`/console/sites/${owner.token}/evidence`);
  });

  test('a browser that lets nothing be stored logs somebody in all the same', async () => {
    const owner = await kit.server.site();
    const page = await kit.open('/login');
    await page.addInitScript(() => {
      for (const name of ['localStorage', 'sessionStorage'])
        Object.defineProperty(window, name, {
          get: () => {
            throw new DOMException('The operation is insecure.', 'SecurityError');
          },
        });
    });
    await page.goto(`${kit.server.url}/console/sites/${owner.token}`);
    await logIn(page, owner.email);
    await page.getByRole('heading', { name: 'Example shop' }).waitFor();
    await page.getByRole('button', { name: 'Account' }).click();
    await page.getByRole('button', { name: 'Dark' }).click();
    await page.reload();
    await page.getByRole('heading', { name: 'Log in' }).waitFor();
  });

  /** Logs the first person out in `other`, and the next one in; `page` is theirs then, too. */
  async function changePerson(page: Page, other: Page, email: string): Promise<void> {
    await logOut(other);
    await page.getByRole('heading', { name: 'Log in' }).waitFor();
    await logIn(other, email);
    await other.getByRole('button', { name: 'Account' }).waitFor();
    await page.getByRole('heading', { name: 'Log in' }).waitFor({ state: 'detached' });
  }

  /** How long nothing must have been asked, in milliseconds. */
  const QUIET = 1_000;

  test('a file that one person sends is not sent on in the name of the next one', async () => {
    const [owner, next] = [await kit.server.site(), await kit.server.person()];
    const request_id = await someRequest(kit.server.visitor, owner.token);
    const page = await kit.open(`/sites/${owner.token}/dsar/${request_id}`, { as: owner });
    await page.getByRole('heading', { name: 'Attachments' }).waitFor();
    const other = await beside(page, '/account');
    let goesOn = false;
    const parts: string[] = [];
    await page.route('**/attachments/**', async (route) => {
      if (route.request().method() !== 'PUT') return route.continue();
      const answer = await route.fetch();
      parts.push(route.request().url());
      await until('somebody else is there', () => goesOn);
      await route.fulfill({ response: answer });
    });
    await page
      .getByLabel('Attachment', { exact: true })
      .setInputFiles({ name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.alloc(600_000, 'checked. ') });
    await until('a part is stored', () => parts.length > 0);
    await changePerson(page, other, next.email);
    goesOn = true;
    await page.waitForTimeout(QUIET);
    expect(parts).toHaveLength(1);
  });

  test('nor is a list read on, page by page', async () => {
    const [owner, next] = [await kit.server.site(), await kit.server.person()];
    const page = await kit.open('/account', { as: owner });
    const other = await beside(page, '/account');
    let goesOn = false;
    const asked: string[] = [];
    await page.route('**/api/environments?*', async (route) => {
      asked.push(route.request().url());
      if (asked.length > 1) return route.continue();
      const answer = await route.fetch();
      const body = await answer.json();
      body.data.next_cursor = 'more';
      await until('somebody else is there', () => goesOn);
      await route.fulfill({ response: answer, json: body }).catch(() => undefined);
    });
    await page.reload();
    await until('the first page is asked for', () => asked.length > 0);
    await changePerson(page, other, next.email);
    goesOn = true;
    await page.waitForTimeout(QUIET);
    expect(asked.filter((url) => url.includes('cursor=more'))).toEqual([]);
  });

  test('a page of a mailed link asks who is there, too', async () => {
    const owner = await kit.server.site();
    const page = await kit.open(`/verify-email#${'a'.repeat(43)}`, { as: owner });
    await endSession(page, owner);
    await page.getByRole('button', { name: 'It is my address' }).click();
    const dialog = page.getByRole('dialog', { name: 'Log in again' });
    await dialog.getByLabel('Password').fill(PASSWORD);
    await kit.look(page, 'login-again-verify-email');
    await dialog.getByRole('button', { name: 'Log in' }).click();
    await dialog.waitFor({ state: 'detached' });
    // The call is made again; the code of this test is none.
    await page.getByRole('alert').waitFor();
  });
});

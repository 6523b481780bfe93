import type { Caller } from '../../server/src/api/handler';
import { loadContract, type Operation } from '../../server/src/contract/operations';
import { limitDay } from '../../server/src/http/limits-of-day';
import { RateLimiter } from '../../server/src/http/rate-limit';

const audited = loadContract().operations.filter(({ audit }) => audit !== undefined);

/** Changes of owners and keys that may be made on any day, by what bounds them otherwise. */
const UNCOUNTED: Record<string, string[]> = {
  'a right of visitors, or what they decided': ['eraseSession', 'eraseSubject', 'logConsentForVisitor'],
  'a limit of its own, by the day or in a queue': [
    ...['createBreach', 'createEnvironment', 'recordDsar', 'recordFormConsentForVisitor'],
    ...['requestEmailVerification', 'saveOwnDsarViews', 'saveSharedDsarViews', 'startCookieScan'],
  ],
  'a step of a record, which takes it once or has a history with a bound': [
    ...[
      'assignDsar',
      'assignDsars',
      'extendDsar',
      'extendDsars',
      'reopenDsar',
      'resolveDsar',
      'resolveDsars',
    ],
    ...['startDsar', 'startDsars', 'markBreachNotReportable', 'reopenBreach', 'reportBreach', 'updateBreach'],
  ],
  'a link works once': ['joinEnvironment', 'verifyEmail'],
  'it ends what a counted change made': [
    ...['deleteAnswerFile', 'deleteAnswerTemplate', 'deleteAttachment', 'deleteDsarComment'],
    ...['deleteEnvironment', 'deleteWebhook', 'pauseWebhook', 'removeMember', 'revokeKey', 'revokeSiteKey'],
    ...['removePasskey', 'confirmTotp', 'removeTotp', 'unlinkIdentity', 'endSession', 'logout'],
  ],
  'an owner needs it against whoever stole the login': [
    ...['changePassword', 'endOtherSessions', 'reauthenticate', 'renewRecoveryCodes', 'revokeTokens'],
    ...['addPasskey', 'beginTotp', 'rotateKey', 'rotateWebhookSecret', 'setSecondFactorRule', 'updateMember'],
  ],
};

/** Whether somebody is refused an operation whose day is used up. */
function isRefused(operation: Operation, key?: object): boolean {
  const limiter = new RateLimiter({ perAddress: 600, perSite: 10_000, perDay: 0 });
  const caller = { userId: 1, key } as Caller;
  const request = {
    operation,
    caller,
    limiter,
    params: {},
    query: {},
    body: undefined,
    address: '203.0.113.1',
  };
  try {
    limitDay(request, operation.hasToken ? { id: 'a site', status: 'active' } : undefined);
    return false;
  } catch {
    return true;
  }
}

test('every operation that leaves an entry in the audit trail has a limit by the day, or a reason to have none', () => {
  const free = audited.filter(({ bearer }) => bearer).filter((operation) => !isRefused(operation));
  // Cookie scans may be started with a login.
  const also = audited
    .filter(({ optionalLogin }) => optionalLogin)
    .filter((operation) => !isRefused(operation));
  const ids = [...free, ...also].map(({ id }) => id);
  expect(ids.sort()).toEqual(Object.values(UNCOUNTED).flat().sort());
});

test('whoever has no login yet has a limit by the minute', () => {
  const strangers = audited.filter(({ bearer, optionalLogin }) => !bearer && !optionalLogin);
  expect(strangers.map(({ id, limit }) => [id, limit !== undefined])).toEqual(
    strangers.map(({ id }) => [id, true]),
  );
});

test('a key rotates no secret of a webhook without end', () => {
  const rotate = audited.find(({ id }) => id === 'rotateWebhookSecret') as Operation;
  expect([isRefused(rotate), isRefused(rotate, { id: 'key_1' })]).toEqual([false, true]);
});

describe('where the counts of a day are full', () => {
  const operation = loadContract().operations.find(({ id }) => id === 'recordFormConsent') as Operation;
  const limiter = new RateLimiter({ perAddress: 600, perSite: 10_000, perDay: 1 });
  const at = (site: { id: string; maker: string }, address: string) =>
    ({
      operation,
      limiter,
      site,
      address,
      caller: undefined,
      params: {},
      query: {},
      body: undefined,
    }) as never;
  const send = (...where: Parameters<typeof at>) => limitDay(at(...where), undefined)();
  const isOver = (...where: Parameters<typeof at>): boolean => {
    try {
      limitDay(at(...where), undefined);
      return false;
    } catch {
      return true;
    }
  };
  const [before, after] = [
    { id: 'first', maker: '1' },
    { id: 'last', maker: '3' },
  ];
  const address = '203.0.113.1';
  beforeAll(() => {
    send(before, address);
    // As many as are kept, from 2,100 blocks at each of a hundred sites.
    for (let site = 0; site < 100; site += 1)
      for (let block = 0; block < 2_100; block += 1)
        send({ id: `site ${site}`, maker: '2' }, `2001:db8:${block.toString(16)}::1`);
    send(after, address);
  });

  test('what others sent is still counted, and whoever comes new is counted, too', () => {
    expect([isOver(before, address), isOver(after, address)]).toEqual([true, true]);
  });

  test('those who filled them lose what was counted first', () => {
    const isCounted = (site: number, block: string) =>
      isOver({ id: `site ${site}`, maker: '2' }, `2001:db8:${block}::1`);
    expect([isCounted(99, '833'), isCounted(0, '0')]).toEqual([true, false]);
  });
});

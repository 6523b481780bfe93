import { ownedSite } from '../helpers/http/contract-requests';
import { useServer } from '../helpers/server';
import { INWARD } from '../helpers/webhooks/receiver';
import { hintsFor, requestsOf } from './requests';
import { check, expectThat, operations, send } from './run';

// No jobs: what is stored comes from the requests alone.
const server = useServer({ variables: { ...INWARD, ROLE: 'api' } });

/**
 * Only one of the codes works, and once; no webhook has failed, and none has sent anything; no site is
 * archived, no webhook paused, and no breach judged to need no report.
 */
const RARELY_GOOD = new Set([
  ...['acceptInvitation', 'lookAtInvitation', 'joinEnvironment'],
  ...[
    'reactivateWebhook',
    'redeliver',
    'getScan',
    'deleteEnvironment',
    'reopenBreach',
    'reopenDsar',
    'resumeWebhook',
    // Of a session that has decided.
    'saveReceipt',
  ],
]);

test.each(operations)(
  '$id: whatever the contract allows is answered as the contract says',
  async (operation) => {
    const site = await ownedSite(server);
    const hints = await hintsFor(server, operation, site);
    const statuses = new Map<number, number>();
    await check(requestsOf(operation, hints), operations.length, async (parts) => {
      const answer = await send(server, site.userId, parts);
      expectThat(answer.status < 500, 'a valid request is not our fault', parts, answer);
      expectThat(
        ![401, 405, 413, 415].includes(answer.status) || operation.id === 'login',
        'a valid request',
        parts,
        answer,
      );
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
    });
    if (!RARELY_GOOD.has(operation.id))
      expect([operation.id, [...statuses.keys()]]).toEqual([
        operation.id,
        expect.arrayContaining([operation.status]),
      ]);
  },
);

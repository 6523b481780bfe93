import { ownedSite } from '../helpers/http/contract-requests';
import { useServer } from '../helpers/server';
import { INWARD } from '../helpers/webhooks/receiver';
import { hintsFor, requestsOf } from './requests';
import { check, expectThat, operations, send } from './run';

// Some operations need that mail could be sent; nobody listens there.
const MAIL = { SMTP_URL: 'smtps://127.0.0.1:9', MAIL_FROM: 'avow@avow.example' };
// No jobs: what is stored comes from the requests alone.
const server = useServer({ variables: { ...INWARD, ...MAIL, ROLE: 'api' } });

const RARELY_GOOD = new Set([
  // Only one of the codes works, and once.
  ...['acceptInvitation', 'lookAtInvitation', 'joinEnvironment', 'resetPassword', 'verifyEmail'],
  ...['completeLogin', 'confirmTotp', 'reauthenticate'],
  // No webhook has failed, and none has sent anything; no site is archived, and no webhook paused.
  ...['reactivateWebhook', 'redeliver', 'getScan', 'deleteEnvironment', 'resumeWebhook'],
  // No breach was judged to need no report, and no request was resolved, or can be answered with a file.
  ...['reopenBreach', 'reopenDsar', 'createAnswerFile', 'putAnswerFilePart', 'deleteAnswerFile'],
  // Nothing was attached to the request.
  ...['putAttachmentPart', 'downloadAttachment', 'deleteAttachment'],
  // Nobody has commented on the request.
  'deleteDsarComment',
  // No mail was written, and the address is verified.
  ...['getMail', 'requestEmailVerification'],
  // Nobody has a second factor, and only a browser makes or shows a passkey.
  ...['removeTotp', 'renewRecoveryCodes', 'addPasskey', 'removePasskey', 'renamePasskey'],
  'loginWithPasskey',
  // There is no provider.
  ...['beginSignOn', 'finishSignOn', 'logoutByProvider', 'beginLink', 'finishLink', 'unlinkIdentity'],
  'proveLink',
  // No scan is the site's, hardly a page is on its domains, and no request has systems on its list.
  ...['getScanChanges', 'setScanSchedule', 'updateSearchLine'],
  // Of a session that has decided.
  'saveReceipt',
  // Only pages of linked domains make and take them.
  ...['createConsentLink', 'takeConsentLink'],
]);

/** They take proofs of who somebody is, most of which are wrong: 401. */
const PROOFS = new Set(['login', 'completeLogin', 'loginWithPasskey']);

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
        ![401, 405, 413, 415].includes(answer.status) || PROOFS.has(operation.id),
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

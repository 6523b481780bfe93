import { createHash } from 'node:crypto';
import type { Express, Request, Response } from 'express';
import { type Caller, inOwnTurn } from '../api/handler';
import type { Context } from '../context';
import { allows } from '../domain/api-keys';
import { ApiError, forbidden } from '../domain/errors';
import { isEnvironmentToken } from '../domain/ids';
import type { LogFile } from '../ledger/files';
import { noteUse } from '../services/key-callers';
import { authorise } from '../services/site-access';
import { admitLogReader } from './admit';
import { isKnown, sendBytes, sendNothing } from './answer';
import { authenticate, inTurnOfLookUps, limitLogin } from './authenticate';
import type { Exchange } from './exchange';
import { isOfOtherPage } from './other-pages';
import type { Askers } from './probes';

/** Of what never changes, of what a log outgrows, and of what only members may see. */
const IMMUTABLE = 'public, max-age=31536000, immutable';
const MOVING = 'public, max-age=5';
const PRIVATE = 'private, no-store';

/** What says that there is no such file, or not for whoever asks. */
const MISSING = [401, 403, 404];

/** The log of each site: its checkpoint and tiles (C2SP tlog-tiles), outside of the contract, for any origin. */
export function mountLedger(app: Express, context: Context, askers: Askers): void {
  app.get('/ledger/:token/*path', async (request: Request, response: Response) => {
    const { exchange } = response.locals;
    exchange.operationId = 'ledger';
    exchange.open = true;
    const { token, path } = request.params;
    const file = await find(context, askers, request, String(token), [path].flat().join('/')).catch(
      (error) => {
        if (error instanceof ApiError && MISSING.includes(error.status)) return undefined;
        throw error;
      },
    );
    if (file === undefined) sendMissing(response);
    else send(exchange, file);
  });
}

async function find(
  context: Context,
  { addressOf, limiter }: Askers,
  request: Request,
  token: string,
  path: string,
): Promise<(LogFile & { isOpen: boolean }) | undefined> {
  if (!isEnvironmentToken(token)) return undefined;
  const address = addressOf(request);
  const site = await admitLogReader(context, limiter, token, address);
  const isOpen = site.publishesLog;
  if (!isOpen) {
    limitLogin(limiter, request, { address, isOther: isOfOtherPage(request, context) });
    const caller = await authenticate(context, request, { address, limiter });
    await admitKey(context, caller, address);
    await inTurnOfLookUps(caller, () => authorise(context.db, caller, { token }, 'viewer'));
  }
  const file = await context.logFiles.find(site, path, address);
  return file && { ...file, isOpen };
}

/** A key that reads a log is used like one that calls an operation. */
async function admitKey(context: Context, caller: Caller, address: string): Promise<void> {
  const { key } = caller;
  if (key === undefined) return;
  if (!allows(key.scopes, 'log:read')) throw forbidden('');
  await noteUse(context, key, address, (note) => inOwnTurn(context, caller, note));
}

function send(
  exchange: Exchange,
  { body, contentType, isFinal, isOpen }: LogFile & { isOpen: boolean },
): void {
  const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 27)}"`;
  const headers = { 'Cache-Control': !isOpen ? PRIVATE : isFinal ? IMMUTABLE : MOVING, ETag: etag };
  if (isKnown(exchange, etag)) sendNothing(exchange, 304, headers);
  else sendBytes(exchange, body, { ...headers, 'Content-Type': contentType });
}

function sendMissing(response: Response): void {
  response
    .status(404)
    .set({
      ...{ 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store' },
      'Access-Control-Allow-Origin': '*',
    })
    .end('There is no such file of a published evidence log.\n');
}

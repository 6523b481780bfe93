import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Express, Request, Response } from 'express';
import { ROOT } from '../config/paths';
import type { Logger } from '../observability/logger';
import { sendStored } from './files';
import { packedOnce } from './packed-once';
import type { SentFiles } from './sent-files';

const SCRIPT = join(ROOT, 'dist', 'banner', 'debug.js');

/** `/debug.js`: the diagnostics view, which a person loads into a page of a site; the same for every site. */
export function mountDebugScript(app: Express, log: Logger, sent: SentFiles, script = SCRIPT): void {
  if (!existsSync(script)) {
    app.get('/debug.js', notBuilt);
    return;
  }
  const file = packedOnce('the diagnostics view', {
    contentType: 'text/javascript; charset=utf-8',
    text: readFileSync(script, 'utf8'),
    cacheControl: 'no-cache',
  });
  app.get('/debug.js', async (request: Request, response: Response) => {
    const { exchange } = response.locals;
    exchange.operationId = 'debug';
    // A page of a site loads it as a module.
    exchange.open = true;
    const count = sent.admit(request);
    sendStored(exchange, await file(), log);
    count(Number(response.getHeader('Content-Length') ?? 0));
  });
}

function notBuilt(_request: Request, response: Response): void {
  response.locals.exchange.operationId = 'debug';
  response
    .status(503)
    .type('text/plain')
    .send('The script is not built yet: run npm run build, then start the server again.\n');
}

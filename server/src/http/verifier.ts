import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Express, Request, Response } from 'express';
import helmet from 'helmet';
import { ROOT } from '../config/paths';
import type { Logger } from '../observability/logger';
import { sendStored } from './files';
import { packedOnce } from './packed-once';
import type { SentFiles } from './sent-files';

const PAGE = join(ROOT, 'dist', 'verify', 'page.html');

/** The page states its policy itself, so that a copy on a disk keeps it; frames are refused by the header alone. */
const headersOf = (html: string) => {
  const [, policy = "default-src 'none'"] =
    /http-equiv="Content-Security-Policy" content="([^"]+)"/.exec(html) ?? [];
  const others = helmet({
    contentSecurityPolicy: false,
    xFrameOptions: { action: 'deny' },
    // A server behind plain HTTP on localhost must stay reachable; a proxy that speaks TLS sets HSTS.
    strictTransportSecurity: false,
  });
  return [
    others,
    (_request: Request, response: Response, next: () => void) => {
      response.setHeader('Content-Security-Policy', `${policy}; frame-ancestors 'none'`);
      next();
    },
  ];
};

/** `/verify`: one page without anything else, which verifies evidence in the reader's browser. */
export function mountVerifier(app: Express, log: Logger, sent: SentFiles, page = PAGE): void {
  if (!existsSync(page)) {
    app.get('/verify', notBuilt);
    return;
  }
  const text = readFileSync(page, 'utf8');
  const file = packedOnce('verify', {
    contentType: 'text/html; charset=utf-8',
    text,
    cacheControl: 'no-cache',
  });
  app.get('/verify', headersOf(text), async (request: Request, response: Response) => {
    const { exchange } = response.locals;
    exchange.operationId = 'verify';
    const count = sent.admit(request);
    sendStored(exchange, await file(), log);
    count(Number(response.getHeader('Content-Length') ?? 0));
  });
}

function notBuilt(_request: Request, response: Response): void {
  response.locals.exchange.operationId = 'verify';
  response
    .status(503)
    .type('text/plain')
    .send('The page is not built yet: run npm run build, then start the server again.\n');
}

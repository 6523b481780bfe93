import { existsSync, readFileSync } from 'node:fs';
import type { Express, Request, RequestHandler, Response } from 'express';
import type { Logger } from '../observability/logger';
import { sendStored } from './files';
import { packedOnce } from './packed-once';
import type { SentFiles } from './sent-files';

/** A file that a build has made, and that is the same for everybody. */
export interface BuiltFile {
  path: string;
  /** How requests for it are told apart in logs and metrics. */
  name: string;
  /** As in "The page is not built yet". */
  what: string;
  file: string;
  contentType: string;
  /** Whether pages of other origins may load it. */
  open?: boolean;
  /** What its content needs in front of it. */
  before?(text: string): RequestHandler[];
}

/** Serves it, or says that it is not built. */
export function mountBuilt(
  app: Express,
  { log, sent }: { log: Logger; sent: SentFiles },
  { path, name, what, file, contentType, open = false, before = () => [] }: BuiltFile,
): void {
  if (!existsSync(file)) {
    app.get(path, (_request: Request, response: Response) => {
      response.locals.exchange.operationId = name;
      response
        .status(503)
        .type('text/plain')
        .send(`The ${what} is not built yet: run npm run build, then start the server again.\n`);
    });
    return;
  }
  const text = readFileSync(file, 'utf8');
  const packed = packedOnce(name, { contentType, text, cacheControl: 'no-cache' });
  app.get(path, before(text), async (request: Request, response: Response) => {
    const { exchange } = response.locals;
    exchange.operationId = name;
    exchange.open = open;
    const count = sent.admit(request);
    sendStored(exchange, await packed(), log);
    count(Number(response.getHeader('Content-Length') ?? 0));
  });
}

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Express, NextFunction, Request, Response } from 'express';
import helmet from 'helmet';
import sirv from 'sirv';
import { ROOT } from '../config/paths';
import { notFound } from '../domain/errors';
import type { SentFiles } from './sent-files';

/** Scripts, styles and requests of this server alone, nothing inline. */
const headers = helmet({
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      defaultSrc: ["'self'"],
      connectSrc: ["'self'"],
      formAction: ["'self'"],
      objectSrc: ["'none'"],
      frameAncestors: ["'none'"],
      baseUri: ["'none'"],
    },
  },
  xFrameOptions: { action: 'deny' },
  // A server behind plain HTTP on localhost must stay reachable; a proxy that speaks TLS sets HSTS.
  strictTransportSecurity: false,
});

/** The documentation that the build step `docs` wrote, below `/docs/`, and `/llms.txt`. */
export function mountDocs(app: Express, sent: SentFiles, folder = join(ROOT, 'dist', 'docs')): void {
  // Looked up at each request: a build beside a running server must not leave it with files that are gone.
  const files = sirv(folder, { dev: true, etag: true, gzip: true, brotli: true, setHeaders });
  const serve = sent.counted((request: Request, response: Response, next: NextFunction) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return next();
    // Pages are small, so ranges are not supported.
    delete request.headers.range;
    files(request, response, () => missing(folder, response, next));
  });
  const named = (_request: Request, response: Response, next: NextFunction) => {
    response.locals.exchange.operationId = 'docs';
    next();
  };
  app.get('/docs', (_request: Request, response: Response) => {
    response.locals.exchange.operationId = 'docs';
    response.redirect(308, '/docs/');
  });
  app.use('/docs/', headers, named, serve);
  app.get(['/llms.txt', '/llms-full.txt'], headers, named, serve);
}

function setHeaders(response: { setHeader(name: string, value: string): void }, path: string): void {
  const isHashed = path.startsWith('/assets/');
  response.setHeader('Cache-Control', isHashed ? 'public, max-age=31536000, immutable' : 'no-cache');
  if (/\.(md|txt)$/.test(path))
    response.setHeader('Content-Type', `text/${path.endsWith('.md') ? 'markdown' : 'plain'}; charset=utf-8`);
}

function missing(folder: string, response: Response, next: NextFunction): void {
  const page = notFoundPage(folder);
  if (page !== undefined) {
    response.status(404).set({ 'Content-Type': 'text/html; charset=utf-8', 'Cache-Control': 'no-cache' });
    response.setHeader('Content-Length', page.length);
    response.end(page);
  } else {
    // Without a build the answer is 404, as for any unknown path.
    next(notFound('This page'));
  }
}

let kept: Buffer | undefined;

/** Read once, because anyone can request pages that do not exist. */
function notFoundPage(folder: string): Buffer | undefined {
  const file = join(folder, '404.html');
  if (kept === undefined && existsSync(file)) kept = readFileSync(file);
  return kept;
}

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Express, NextFunction, Request, Response } from 'express';
import helmet from 'helmet';
import sirv from 'sirv';
import { ROOT } from '../config/paths';
import { notFound } from '../domain/errors';
import type { SentFiles, Serve } from './sent-files';

const FOLDER = join(ROOT, 'dist', 'console');
/**
 * Paths of pages, including mistyped ones, for which the page itself shows "not found". Never a file name,
 * which has a dot.
 */
const PAGES = /^\/console(?:\/[^.]*)?$/;

type Sources = Record<string, Iterable<string> | null>;

/** The headers of a page: scripts, styles and requests of this server only, nothing inline. */
const policy = (directives: Sources, options: { originAgentCluster?: false } = {}) =>
  helmet({
    ...options,
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        scriptSrc: ["'self'"],
        styleSrc: ["'self'"],
        imgSrc: ["'self'", 'data:'],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        ...directives,
      },
    },
    // A server behind plain HTTP on localhost must stay reachable; a proxy that speaks TLS sets HSTS.
    strictTransportSecurity: false,
    // `frame-ancestors` replaces it in browsers that support it.
    xFrameOptions: false,
  });

const pageHeaders = policy({
  connectSrc: ["'self'"],
  fontSrc: ["'self'"],
  frameSrc: ["'self'"],
  frameAncestors: ["'none'"],
});

/**
 * The preview runs a banner's script in a sandbox: an origin of its own, no request to any server, shown in
 * the console only.
 */
const previewHeaders = policy(
  {
    scriptSrc: ["'self'", 'blob:'],
    frameAncestors: ["'self'"],
    sandbox: ['allow-scripts'],
  },
  // It is in a frame of the console, with an origin of its own as it is.
  { originAgentCluster: false },
);

/** The owner's dashboard: its files are immutable, every other path below `/console` is the page itself. */
export function mountConsole(app: Express, sent: SentFiles): void {
  const named = (request: Request, response: Response, next: NextFunction) => {
    response.locals.exchange.operationId = 'console';
    // Files are small; the file server never answers a range that ends before it begins.
    delete request.headers.range;
    next();
  };
  app.get('/', named, (_request: Request, response: Response) => response.redirect(302, '/console'));
  if (!existsSync(join(FOLDER, 'index.html'))) {
    app.get(PAGES, named, notBuilt);
    return;
  }
  const send = (options: sirv.Options, folder = FOLDER) =>
    sent.counted(sirv(folder, { gzip: true, brotli: true, etag: true, ...options }) as Serve);
  const files = send({ immutable: true, maxAge: 31_536_000 }, join(FOLDER, 'assets'));
  const pages = send({ setHeaders: (response) => response.setHeader('Cache-Control', 'no-cache') });
  for (const path of ['/console/icon.svg', '/favicon.ico']) {
    app.get(path, named, pageHeaders, sendPage(pages, '/icon.svg'));
  }
  app.use('/console/assets', named, pageHeaders, openToSandbox, files, () => {
    throw notFound('This file');
  });
  app.get('/console/preview', named, previewHeaders, sendPage(pages, '/preview.html'));
  app.get(PAGES, named, pageHeaders, sendPage(pages, '/index.html'));
}

/**
 * The files hold no personal data, and the sandboxed preview, which has an opaque origin, must be able to
 * load its module.
 */
function openToSandbox(_request: Request, response: Response, next: NextFunction): void {
  response.set({ 'Access-Control-Allow-Origin': '*', 'Cross-Origin-Resource-Policy': 'cross-origin' });
  next();
}

function sendPage(pages: Serve, path: string) {
  return (request: Request, response: Response, next: NextFunction): void => {
    request.url = path;
    pages(request, response, next);
  };
}

function notBuilt(_request: Request, response: Response): void {
  response
    .status(503)
    .type('text/plain')
    .send('The console is not built yet: run npm run build, then start the server again.\n');
}

import { join } from 'node:path';
import type { Request, Response } from 'express';
import helmet from 'helmet';
import { ROOT } from '../config/paths';
import type { BuiltFile } from './built-file';

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
export const VERIFIER: BuiltFile = {
  path: '/verify',
  name: 'verify',
  what: 'page',
  file: join(ROOT, 'dist', 'verify', 'page.html'),
  contentType: 'text/html; charset=utf-8',
  before: headersOf,
};

import { join } from 'node:path';
import type { Express, Request, Response } from 'express';
import helmet from 'helmet';
import { ROOT } from '../paths';
import type { Contract } from './contract';

/** The set-up page has no inline script or style, so its policy needs no exception. */
const pageHeaders = helmet({
  contentSecurityPolicy: {
    directives: {
      defaultSrc: ["'self'"],
      objectSrc: ["'none'"],
      frameAncestors: ["'none'"],
      baseUri: ["'none'"],
      upgradeInsecureRequests: null,
    },
  },
  // A server behind plain HTTP on localhost must stay reachable; a proxy that speaks TLS sets HSTS.
  strictTransportSecurity: false,
});

/** What is served besides the API: the contract, and the page behind the one-time link. */
export function mountPages(app: Express, contract: Contract): void {
  const json = JSON.stringify(contract.document);
  const document = (type: string, text: string) => (_request: Request, response: Response) => {
    response.locals.exchange.operationId = 'contract';
    response
      .set({
        'Content-Type': type,
        'Access-Control-Allow-Origin': '*',
        'Cache-Control': 'public, max-age=300',
      })
      .send(text);
  };
  app.get('/openapi.json', document('application/json; charset=utf-8', json));
  app.get('/openapi.yaml', document('application/yaml; charset=utf-8', contract.yaml));
  const folder = join(ROOT, 'server', 'console');
  for (const [path, file] of [
    ['/console/setup', 'setup.html'],
    ['/console/setup.css', 'setup.css'],
    ['/console/setup.js', 'setup.js'],
  ] as const) {
    app.get(path, pageHeaders, (_request: Request, response: Response) => {
      response.locals.exchange.operationId = 'setup';
      response.set('Cache-Control', 'no-cache').sendFile(join(folder, file));
    });
  }
}

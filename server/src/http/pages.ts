import type { Express, Request, Response } from 'express';
import type { Contract } from '../contract/operations';
import { mountConsole } from './console';

/** What is served besides the API: the contract, and the console. */
export function mountPages(app: Express, contract: Contract): void {
  const json = JSON.stringify(contract.document);
  const document = (type: string, text: string) => {
    // Encoded once, not for each request.
    const bytes = Buffer.from(text);
    return (_request: Request, response: Response) => {
      response.locals.exchange.operationId = 'contract';
      response
        .set({
          'Content-Type': type,
          'Access-Control-Allow-Origin': '*',
          'Cache-Control': 'public, max-age=300',
        })
        .send(bytes);
    };
  };
  app.get('/openapi.json', document('application/json; charset=utf-8', json));
  app.get('/openapi.yaml', document('application/yaml; charset=utf-8', contract.yaml));
  mountConsole(app);
}

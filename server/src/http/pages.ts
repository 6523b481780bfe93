import type { Express, Request, Response } from 'express';
import { JSON_TYPE } from '../bundles/packed';
import type { Context } from '../context';
import type { Contract } from '../contract/operations';
import { mountBuilt } from './built-file';
import { mountConsole } from './console';
import { DEBUG_SCRIPT } from './debug-script';
import { sendStored } from './files';
import { limitLarge } from './limits';
import { packedOnce } from './packed-once';
import type { Askers } from './probes';
import type { SentFiles } from './sent-files';
import { VERIFIER } from './verifier';

/** What is served besides the API: the contract, the page that verifies evidence, the diagnostics view, and the console. */
export function mountPages(
  app: Express,
  { log }: Context,
  contract: Contract,
  { addressOf, limiter }: Askers,
  sent: SentFiles,
): void {
  const document = (contentType: string, text: string) => {
    const file = packedOnce('contract', { contentType, text, cacheControl: 'public, max-age=300' });
    return async (request: Request, response: Response): Promise<void> => {
      const { exchange } = response.locals;
      exchange.operationId = 'contract';
      exchange.open = true;
      limitLarge(limiter, 'contract', addressOf(request));
      sendStored(exchange, await file(), log);
    };
  };
  app.get('/openapi.json', document(JSON_TYPE, JSON.stringify(contract.document)));
  app.get('/openapi.yaml', document('application/yaml; charset=utf-8', contract.yaml));
  for (const file of [VERIFIER, DEBUG_SCRIPT]) mountBuilt(app, { log, sent }, file);
  mountConsole(app, sent);
}

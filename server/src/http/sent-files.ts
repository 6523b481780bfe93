import type { NextFunction, Request, Response } from 'express';
import type { Context } from '../context';
import { limitFiles } from './limits';
import { isOfOtherPage } from './other-pages';
import type { Askers } from './probes';

export type Serve = (request: Request, response: Response, next: NextFunction) => void;

/** Limits by address what is sent of files that belong to no site. */
export class SentFiles {
  constructor(
    private readonly context: Context,
    private readonly askers: Askers,
  ) {}

  /** Counts a request for a file; whoever has its bytes tells how many are sent. Throws 429. */
  admit(request: Request): (bytes: number) => void {
    const { addressOf, limiter } = this.askers;
    const by = { address: addressOf(request), isOther: isOfOtherPage(request, this.context) };
    limitFiles(limiter, by);
    return (bytes) => {
      if (request.method !== 'HEAD') limitFiles(limiter, by, bytes);
    };
  }

  /** The same of what writes the head of its answer at once. */
  counted(serve: Serve): Serve {
    return (request, response, next) => {
      const count = this.admit(request);
      serve(request, response, next);
      if (response.headersSent) count(Number(response.getHeader('Content-Length') ?? 0));
    };
  }
}

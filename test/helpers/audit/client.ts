import { createAvow } from '@avow/sdk';
import type { Client, TestServer } from '../server';

/** A client of somebody whose bearer token is known. */
export const clientOf = ({ url }: TestServer, { bearer }: { bearer: string }): Client =>
  createAvow({ baseUrl: url, token: bearer, retries: 0 });

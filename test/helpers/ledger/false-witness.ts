import { generateKeyPairSync } from 'node:crypto';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type AddCheckpoint, readAddCheckpoint } from '../../../server/src/domain/ledger/add-checkpoint';
import { cosign } from '../../../server/src/domain/ledger/cosignature';
import { bytesOf } from '../../../server/src/domain/ledger/note';
import { COSIGNING_KEY, vkeyOf } from '../../../server/src/domain/ledger/open-note';

type Answer = (request: AddCheckpoint, response: ServerResponse) => void;

/** A witness that answers as a test wants, right or wrong. */
export class FalseWitness {
  private readonly keys = generateKeyPairSync('ed25519');
  private server: Server | undefined;
  url = '';
  requests: AddCheckpoint[] = [];
  answer: Answer = (request, response) => void response.end(`${this.sign(textOf(request))}\n`);

  constructor(readonly name = 'false.example') {}

  get vkey(): string {
    return vkeyOf(this.name, COSIGNING_KEY, bytesOf(this.keys.publicKey));
  }

  /** A signature line over any text. */
  sign(text: string, time = Math.floor(Date.now() / 1000)): string {
    return cosign(this.name, this.keys.privateKey, this.keys.publicKey, text, time);
  }

  async listen(port = 0): Promise<this> {
    const server = createServer((request, response) => {
      void request.toArray().then((chunks) => {
        const read = readAddCheckpoint(Buffer.concat(chunks).toString());
        if (read === undefined || request.url !== '/w/add-checkpoint') return response.writeHead(400).end();
        this.requests.push(read);
        return this.answer(read, response);
      });
    });
    this.server = server;
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/w`;
    return this;
  }

  async close(): Promise<void> {
    this.server?.closeAllConnections();
    await new Promise((resolve) => this.server?.close(resolve) ?? resolve(undefined));
  }
}

/** What the log signed. */
export const textOf = ({ note }: AddCheckpoint): string => note.slice(0, note.lastIndexOf('\n\n') + 1);

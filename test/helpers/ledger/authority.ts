import { execFile, execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Whether openssl can play a time-stamping authority here; said loudly where not. */
export const hasOpenssl = ((): boolean => {
  try {
    execFileSync('openssl', ['ts', '-help'], { stdio: 'ignore' });
    return true;
  } catch {
    process.stderr.write('SKIPPED: openssl is missing, so no time-stamp is made or verified by it.\n');
    return false;
  }
})();

/** The policies that it stamps under; the first one unless another is asked for. */
export const POLICIES = ['1.3.6.1.4.1.55555.1', '1.3.6.1.4.1.55555.2'] as const;

const CONFIG = `
[tsa]
default_tsa = one
[one]
serial = ./serial
signer_cert = ./tsa.pem
signer_key = ./tsa.key
signer_digest = sha256
default_policy = ${POLICIES[0]}
other_policies = ${POLICIES[1]}
digests = sha256
accuracy = secs:1
ess_cert_id_alg = sha256
[stamps]
basicConstraints = CA:FALSE
keyUsage = critical,digitalSignature
extendedKeyUsage = critical,timeStamping
[loose]
basicConstraints = CA:FALSE
extendedKeyUsage = critical,timeStamping,codeSigning
[dn]
CN = unused
[req]
distinguished_name = dn
[root]
basicConstraints = critical,CA:TRUE
keyUsage = critical,keyCertSign
`;

type Reply = (query: Buffer, response: ServerResponse) => void;

/** A time-stamping authority of openssl's, with a root of its own. */
export class Authority {
  readonly folder = mkdtempSync(join(tmpdir(), 'avow-tsa-'));
  private server: Server | undefined;
  /** Answers in its place while it is set. */
  misbehave: Reply | undefined;
  requests = 0;

  constructor(usage: 'stamps' | 'loose' = 'stamps') {
    mkdirSync(this.folder, { recursive: true });
    writeFileSync(join(this.folder, 'tsa.cnf'), CONFIG);
    writeFileSync(join(this.folder, 'serial'), '01\n');
    const key = ['-newkey', 'rsa:2048', '-nodes', '-config', 'tsa.cnf'];
    const ca = [
      '-x509',
      '-keyout',
      'ca.key',
      '-out',
      'ca.pem',
      '-subj',
      '/CN=Test root',
      '-extensions',
      'root',
    ];
    this.openssl('req', ...key, ...ca);
    this.openssl('req', ...key, '-keyout', 'tsa.key', '-out', 'tsa.csr', '-subj', '/CN=Test authority');
    const signed = ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial', '-out', 'tsa.pem'];
    this.openssl('x509', '-req', '-in', 'tsa.csr', ...signed, '-extfile', 'tsa.cnf', '-extensions', usage);
  }

  openssl(...args: string[]): string {
    return execFileSync('openssl', args, {
      cwd: this.folder,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  }

  /** The answer to a query, `application/timestamp-reply`. */
  reply(query: Buffer): Promise<Buffer> {
    this.requests += 1;
    const file = `query-${this.requests}`;
    writeFileSync(join(this.folder, `${file}.tsq`), query);
    const args = ['ts', '-reply', '-config', 'tsa.cnf', '-queryfile', `${file}.tsq`];
    return new Promise((resolve, reject) => {
      execFile('openssl', args, { cwd: this.folder, encoding: 'buffer' }, (error, output) =>
        error === null ? resolve(output) : reject(error),
      );
    });
  }

  /** Whether openssl finds a token to be one for the text, by this authority's root. */
  verifies(token: Buffer, text: string): string {
    writeFileSync(join(this.folder, 'token.der'), token);
    writeFileSync(join(this.folder, 'text'), text);
    const args = ['ts', '-verify', '-in', 'token.der', '-token_in', '-data', 'text', '-CAfile', 'ca.pem'];
    return this.openssl(...args).trim();
  }

  /** Starts to listen on loopback; its URL. */
  async listen(): Promise<string> {
    const server = createServer((request, response) => void this.serve(request, response));
    this.server = server;
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/tsr`;
  }

  close(): void {
    this.server?.closeAllConnections();
    this.server?.close();
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const query = Buffer.concat(await request.toArray());
    if (this.misbehave !== undefined) return this.misbehave(query, response);
    if (request.headers['content-type'] !== 'application/timestamp-query')
      return void response.writeHead(415).end();
    response.setHeader('Content-Type', 'application/timestamp-reply');
    response.end(await this.reply(query).catch(() => Buffer.alloc(0)));
  }
}

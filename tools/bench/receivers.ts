import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Healthy webhook receivers that count their requests. */
export class Receivers {
  private count = 0;

  private constructor(private readonly servers: Server[]) {}

  static async start(count: number): Promise<Receivers> {
    const receivers = new Receivers([]);
    for (let i = 0; i < count; i += 1) {
      const server = createServer((request, response) => {
        request.resume().on('end', () => {
          receivers.count += 1;
          response.writeHead(204).end();
        });
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      receivers.servers.push(server);
    }
    return receivers;
  }

  get urls(): string[] {
    return this.servers.map((server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`);
  }

  get received(): number {
    return this.count;
  }

  async stop(): Promise<void> {
    for (const server of this.servers) {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
  }
}

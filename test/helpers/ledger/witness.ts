import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Child, freePort } from '../processes/child';
import { until } from '../until';

/** The real program of a witness, on loopback. */
export class WitnessProcess extends Child {
  readonly url: string;

  private constructor(
    readonly folder: string,
    readonly port: number,
    readonly name: string,
  ) {
    const place = ['--host', '127.0.0.1', '--port', String(port)];
    super('server/cli/main.js', ['witness', '--name', name, '--folder', folder, ...place], {});
    this.url = `http://127.0.0.1:${port}`;
  }

  /** Starts one, with the folder and port of another if it shall go on for that. */
  static async start(
    vkeys: readonly string[],
    before?: WitnessProcess,
    name = 'witness.example',
  ): Promise<WitnessProcess> {
    const folder = before?.folder ?? mkdtempSync(join(tmpdir(), 'avow-witness-'));
    writeFileSync(join(folder, 'logs'), `# the logs of this test\n${vkeys.join('\n')}\n`);
    const witness = new WitnessProcess(folder, before?.port ?? (await freePort()), name);
    await until(
      () => `the witness listens\n${witness.output}\n${witness.errors}`,
      async () => {
        if (!witness.running) throw new Error(`the witness ended:\n${witness.output}\n${witness.errors}`);
        return (await fetch(`${witness.url}/healthz`).catch(() => undefined))?.status === 200;
      },
    );
    return witness;
  }

  get vkey(): string {
    return this.output.split('\n').find((line) => line.startsWith(`${this.name}+`)) ?? '';
  }

  async add(body: string | Uint8Array): Promise<{ status: number; type: string | null; text: string }> {
    const response = await fetch(`${this.url}/add-checkpoint`, { method: 'POST', body: Buffer.from(body) });
    return {
      status: response.status,
      type: response.headers.get('content-type'),
      text: await response.text(),
    };
  }
}

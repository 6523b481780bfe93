import { connect, type Socket } from 'node:net';
import { HELD_ANSWERS, HeldAnswers, MOST_HELD } from '../../server/src/http/held';
import { ownedSite } from '../helpers/http/contract-requests';
import { useServer } from '../helpers/server';
import { someRequest } from '../helpers/site/attachments';
import { until } from '../helpers/until';

describe('answers that wait for their readers', () => {
  const MOST = { each: 100, all: 250 };
  let ended: string[];
  let held: HeldAnswers;
  let now = 0;
  beforeEach(() => {
    ended = [];
    held = new HeldAnswers(MOST, () => now);
  });
  const hold = (group: string, account: string, name: string, bytes: number) =>
    held.hold([group, account], bytes, () => ended.push(name));

  test('are let be up to the bound of their account, and counted until they are read', () => {
    const read = hold('a', '1', 'first', 60);
    hold('a', '1', 'second', 40);
    hold('a', '2', 'third', 100);
    expect([ended, held.bytes]).toEqual([[], 200]);
    read(0);
    hold('a', '1', 'fourth', 60);
    expect([ended, held.bytes]).toEqual([[], 200]);
  });

  test('beyond it lose the one that has held the most for the longest', () => {
    hold('a', '1', 'small and old', 5);
    hold('a', '1', 'large and old', 80);
    now += 30;
    hold('a', '1', 'new', 90);
    expect([ended, held.bytes]).toEqual([['large and old'], 95]);
  });

  test('are counted by what is left of them', () => {
    const change = hold('a', '1', 'compressed', 90);
    change(10);
    hold('a', '1', 'another', 90);
    expect([ended, held.bytes]).toEqual([[], 100]);
    change(0);
    change(50);
    expect(held.bytes).toBe(90);
  });

  test('may be one that is larger than the bound of an account, but not two', () => {
    hold('a', '1', 'huge', 200);
    expect(ended).toEqual([]);
    hold('a', '1', 'another', 200);
    expect([ended.length, held.bytes]).toEqual([1, 200]);
  });

  test('of all together lose one of the group that holds the most', () => {
    hold('small', '1', 'of a small group', 60);
    for (const account of ['1', '2']) hold('large', account, `large ${account}`, 90);
    hold('another', '1', 'of another', 60);
    expect([ended.length, held.bytes]).toEqual([1, 210]);
    expect(ended[0]).toMatch(/^large/);
  });
});

describe('a server', () => {
  const server = useServer({ variables: { ROLE: 'api' } });
  const sockets: Socket[] = [];
  afterEach(() => {
    for (const socket of sockets.splice(0)) socket.destroy();
  });

  test('breaks off the answers that one account leaves unread, and answers others', async () => {
    const site = await ownedSite(server);
    const request_id = await someRequest(server.visitor, site.token);
    // More than the system buffers of one connection.
    const note = 'x'.repeat(12_000_000);
    const entry = { at: new Date().toISOString(), actor: 'data subject', action: 'created', note };
    await server.service.context
      .db('dsar_requests')
      .where({ request_id })
      .update({ history: JSON.stringify([entry]) });
    const path = `/api/cookies/${site.token}/dsar/${request_id}`;
    const { port } = new URL(server.url);
    const head = `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${site.bearer}\r\n\r\n`;
    const log = jest.spyOn(server.service.context.log, 'info');
    const ended = () => log.mock.calls.filter(([about]) => JSON.stringify(about).includes('too much waits'));
    for (let n = 0; n < 4; n += 1) {
      const socket = connect(Number(port), '127.0.0.1', () => socket.write(head));
      sockets.push(socket.on('error', () => undefined).pause());
      await until('the one before is broken off', () => ended().length === n, 10_000);
      await until('an answer waits', () => HELD_ANSWERS.bytes > note.length);
    }
    expect(HELD_ANSWERS.bytes).toBeLessThan(MOST_HELD.each);
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
    for (const socket of sockets) socket.resume();
    const isOver = ({ bytesRead, closed }: Socket): boolean => closed || bytesRead > note.length;
    await until('all have ended', () => sockets.every(isOver));
    expect(sockets.filter(({ bytesRead }) => bytesRead > note.length)).toEqual([sockets.at(-1)]);
    await until('nothing waits', () => HELD_ANSWERS.bytes === 0);
    log.mockRestore();
  });
});

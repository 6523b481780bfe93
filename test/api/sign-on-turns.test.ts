import { FairTurns } from '../../server/src/domain/fair-turns';
import { TurnsByProvider } from '../../server/src/services/sign-on/turns-by-provider';

test('a provider that hangs takes the places of no other', async () => {
  const turns = new TurnsByProvider(() => new FairTurns(2, { each: 2, all: 4, wait: 50 }));
  let goOn = (): void => undefined;
  const hangs = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  const held = [1, 2].map((n) => turns.take('slow', `203.0.113.${n}`, () => hangs));
  await expect(turns.take('slow', '203.0.113.3', async () => 'done')).rejects.toMatchObject({ status: 503 });
  expect(await turns.take('quick', '203.0.113.3', async () => 'done')).toBe('done');
  goOn();
  await Promise.all(held);
});

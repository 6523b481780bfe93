import { rest } from '../../server/src/domain/rests';

test('many files of one reader do not make that of another wait for each of them', async () => {
  const order: string[] = [];
  const file = async (reader: string, name: string, pieces: number): Promise<void> => {
    for (let n = 0; n < pieces; n += 1) {
      await rest(reader);
      order.push(name);
    }
  };
  const many = ['a1', 'a2', 'a3', 'a4', 'a5', 'a6'].map((name) => file('group a', name, 6));
  await Promise.all([...many, file('group b', 'b', 6)]);
  // Turn by turn: six of b among the first twelve or so.
  expect(order.lastIndexOf('b')).toBeLessThan(14);
  expect(order).toHaveLength(42);
});

test('a line that was empty goes on again', async () => {
  for (let n = 0; n < 3; n += 1) await rest();
  await Promise.all([rest(), rest('group a'), rest()]);
});

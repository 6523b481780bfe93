import { Weight } from '../../server/src/http/weight';

test('a run counts what it weighs more than those before it', () => {
  const counted: number[] = [];
  const weight = new Weight((more) => void counted.push(more));
  for (const run of [[1, 2], [1], [2, 2], [0, 4]]) {
    weight.beginRun();
    for (const more of run) weight.add(more);
  }
  expect(counted).toEqual([1, 2, 1]);
});

test('what is refused weighs nothing', () => {
  const counted: number[] = [];
  const weight = new Weight((more) => {
    if (more > 5) throw new Error('too much');
    counted.push(more);
  });
  weight.add(2);
  expect(() => weight.add(6)).toThrow('too much');
  weight.add(3);
  expect(counted).toEqual([2, 3]);
});

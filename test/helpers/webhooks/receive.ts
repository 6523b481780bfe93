import { type Received, type Receiver, startReceiver } from './receiver';

const open: Receiver[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((receiver) => receiver.stop()));
});

/** A receiver that ends with its test; by default it answers 200. */
export async function receive(answer?: Receiver['answer']): Promise<Receiver> {
  const receiver = await startReceiver();
  if (answer !== undefined) receiver.answer = answer;
  open.push(receiver);
  return receiver;
}

/** An answer of nothing but a status. */
export const answering =
  (status: number, body = ''): Receiver['answer'] =>
  (_request, response) => {
    response.writeHead(status).end(body);
  };

/** The names of the events that were received, in order. */
export const namesOf = (received: readonly Received[]): string[] =>
  received.map(({ headers }) => String(headers['x-service-event']));

import { randomUUID } from 'node:crypto';
import type { Schemas } from '@avow/sdk';
import { PART_BYTES } from '../../../server/src/db/file-parts';
import type { Client } from '../server';

/** What the example of the contract sends: eight bytes. */
export const PDF = Buffer.from('%PDF-1.7');

/** A request that nobody has answered. */
export async function someRequest(client: Client, token: string): Promise<string> {
  const { request_id } = await client.submitDsar({
    token,
    body: { request_type: 'access', email: `${randomUUID()}@visitor.example` },
  });
  return request_id;
}

interface Place {
  token: string;
  request_id: string;
}

/** Begins an attachment of a request. */
export const begin = (
  client: Client,
  place: Place,
  bytes: number,
  more: Partial<Schemas['CreateAttachmentInput']> = {},
): Promise<Schemas['Attachment']> =>
  client.createAttachment({
    ...place,
    body: { name: 'identity.pdf', content_type: 'application/pdf', bytes, ...more },
  });

/** Sends one part of an attachment. */
export const put = (
  client: Client,
  place: Place & { attachment_id: string },
  content: Buffer,
  part = 0,
): Promise<Schemas['Attachment']> =>
  client.putAttachmentPart({
    ...place,
    part,
    body: { content: content.subarray(part * PART_BYTES, (part + 1) * PART_BYTES).toString('base64') },
  });

/** An attachment that has come in full. */
export async function attach(
  client: Client,
  place: Place,
  content: Buffer = PDF,
  more: Partial<Schemas['CreateAttachmentInput']> = {},
): Promise<Schemas['Attachment']> {
  let attachment = await begin(client, place, content.length, more);
  const { attachment_id } = attachment;
  for (let part = 0; part * PART_BYTES < content.length; part += 1)
    attachment = await put(client, { ...place, attachment_id }, content, part);
  return attachment;
}

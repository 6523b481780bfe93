import type { Schemas } from '../../app/data';

/** Bytes of each part of a file but the last, as the contract has it. */
export const PART_BYTES = 512 * 1024;

const OF_BOTH = {
  pdf: 'application/pdf',
  json: 'application/json',
  csv: 'text/csv',
  txt: 'text/plain',
  zip: 'application/zip',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
} as const;

/** The types of files of answers, by the endings of their names. */
export const ANSWER_TYPES: Readonly<Record<string, Schemas['AnswerFileType']>> = {
  ...OF_BOTH,
  xml: 'application/xml',
};

/** The types of attachments. */
export const ATTACHMENT_TYPES: Readonly<Record<string, Schemas['AttachmentType']>> = {
  ...OF_BOTH,
  webp: 'image/webp',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  pptx: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  odt: 'application/vnd.oasis.opendocument.text',
  ods: 'application/vnd.oasis.opendocument.spreadsheet',
  doc: 'application/msword',
  xls: 'application/vnd.ms-excel',
};

/** By the ending of its name, which is what people see. Throws for what may not be stored. */
export function typeOf<Type>({ name }: File, types: Readonly<Record<string, Type>>): Type {
  const type = types[/\.([a-z]+)$/i.exec(name)?.[1]?.toLowerCase() ?? ''];
  if (type === undefined)
    throw new Error(`Files end with one of ${Object.keys(types).join(', ')}: put others into a zip archive.`);
  return type;
}

/** One part in base64. */
export async function partOf(file: File, part: number): Promise<string> {
  const bytes = new Uint8Array(await file.slice(part * PART_BYTES, (part + 1) * PART_BYTES).arrayBuffer());
  let text = '';
  // In pieces: a call takes so many arguments at most.
  for (let at = 0; at < bytes.length; at += 8_192)
    text += String.fromCharCode(...bytes.subarray(at, at + 8_192));
  return btoa(text);
}

/** Such as `178 KiB`. */
export const sizeOf = (bytes: number): string => `${Math.ceil(bytes / 1024).toLocaleString('en')} KiB`;

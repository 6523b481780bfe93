import type { AttachmentType } from './types';

const ZIP = [0x50, 0x4b, 0x03, 0x04];
const EMPTY_ZIP = [0x50, 0x4b, 0x05, 0x06];
const OLE = [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1];
const RIFF = [0x52, 0x49, 0x46, 0x46];
const WEBP = [0x57, 0x45, 0x42, 0x50];

/** How files of a type begin; `null`: as text, which has no zeros. */
const BEGINNINGS: Record<AttachmentType, readonly (readonly number[])[] | null> = {
  'application/pdf': [[0x25, 0x50, 0x44, 0x46, 0x2d]],
  'image/png': [[0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]],
  'image/jpeg': [[0xff, 0xd8, 0xff]],
  'image/webp': [RIFF],
  'text/plain': null,
  'text/csv': null,
  'application/json': null,
  'application/zip': [ZIP, EMPTY_ZIP],
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': [ZIP],
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': [ZIP],
  'application/vnd.openxmlformats-officedocument.presentationml.presentation': [ZIP],
  'application/vnd.oasis.opendocument.text': [ZIP],
  'application/vnd.oasis.opendocument.spreadsheet': [ZIP],
  'application/msword': [OLE],
  'application/vnd.ms-excel': [OLE],
};

/** Whether the first bytes of a file fit its type. */
export function beginsAs(type: AttachmentType, first: Buffer): boolean {
  const beginnings = BEGINNINGS[type];
  if (beginnings === null) return !first.includes(0);
  const at = (bytes: readonly number[], from = 0): boolean =>
    bytes.every((byte, index) => first[from + index] === byte);
  return beginnings.some((bytes) => at(bytes)) && (type !== 'image/webp' || at(WEBP, 8));
}

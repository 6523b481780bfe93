import type { StepName, Verification } from '@avow/sdk/verify';

/** What a verdict says, and the tone in which it is shown. */
export const VERDICTS: Record<Verification['verdict'], [title: string, tone: string, words: string]> = {
  verified: [
    'Verified',
    'good',
    'Every record in this file is in the evidence log, signed by a key that you trust, and was not changed since it was sealed. What only the file says is listed below: it is not proven.',
  ],
  incomplete: ['Incomplete', 'warn', 'Nothing fails, but not everything is proven: see what is not known.'],
  failed: ['Failed', 'bad', 'The file does not prove what it says: see what fails, and where.'],
};

export const KINDS: Record<Verification['kind'], string> = {
  pack: 'evidence pack',
  receipt: 'receipt',
  other: 'neither a pack nor a receipt',
};

/** The steps as people call them, and what each is about. */
export const STEPS: Record<StepName, [name: string, about: string]> = {
  runtime: ['This browser', 'What the browser can compute.'],
  file: ['The file', 'It is whole, and each part is in its place.'],
  keys: ['Keys of the log', 'Each key endorses the one that followed it.'],
  trust: [
    'Trust',
    'The key that signed is one that you trust, or is endorsed by one; each witness that you named has seen every record.',
  ],
  checkpoint: ['Signed head of the log', 'The log has signed its size and its hash.'],
  consistency: ['The log only grew', 'Each later head of the log contains the earlier ones unchanged.'],
  cosignature: ['Witnesses', 'Others have signed the head of the log, too.'],
  'time-stamp': ['Time-stamps', 'Authorities state when they saw the head of the log.'],
  record: ['Records', 'Each record is in the log exactly as it stands here.'],
  context: ['What records name', 'The settings, vendors and banners that records name are here.'],
  attachment: ['Other files', 'The banners are, byte for byte, those that the records name.'],
};

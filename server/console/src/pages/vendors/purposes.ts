/** The purposes of the IAB Europe Transparency & Consent Framework v2.3 by their numbers. */
export const PURPOSES: readonly (readonly [number, string])[] = [
  [1, 'Store and/or access information on a device'],
  [2, 'Use limited data to select advertising'],
  [3, 'Create profiles for personalised advertising'],
  [4, 'Use profiles to select personalised advertising'],
  [5, 'Create profiles to personalise content'],
  [6, 'Use profiles to select personalised content'],
  [7, 'Measure advertising performance'],
  [8, 'Measure content performance'],
  [9, 'Understand audiences through statistics or combinations of data from different sources'],
  [10, 'Develop and improve services'],
  [11, 'Use limited data to select content'],
];

/** English text that says which version of each file a download of all files contains. `fill` replaces values in braces. */
export const archiveWords = {
	ofThread: "{name}: each file as it is in the folder now, including edits, or the bridge’s copy if it isn’t there",
	ofRun: "{name}: this run’s versions, including edits unless a later run replaced the file",
} as const;
